import { html, type Html } from '@account-import/http-contract'

/** A number with its name. */
export const tile = (tone: string, name: string, value: string, more: string): Html =>
  html`<div class="tile ${tone}">
    <dt>${name}</dt>
    <dd>${value}<small>${more}</small></dd>
  </div> `
