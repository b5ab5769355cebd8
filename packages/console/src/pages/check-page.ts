import type { UsableNames } from '@account-import/core'
import { html } from '@account-import/core/html'
import { type Frame, wholePage } from '../layout.js'

/** The page that checks a file in the browser, by the settings of the suppliers. */
export const checkPage = (frame: Frame, names: UsableNames): string =>
  wholePage(frame, {
    title: 'Check a file here',
    folder: 'check/',
    parts: html`<noscript><p class="callout warn">The browser reads the file, so this page needs JavaScript.</p></noscript>
      <p>Suppliers: ${names.importSuppliers.map(({ code }) => html`${code} `)}</p>`,
  })
