import type { UsableNames } from '@account-import/core'
import { html } from '@account-import/core/html'
import { type Frame, wholePage } from '../layout.js'

/** The page that compares a file with the accounts of the service in the browser. */
export const proofPage = (frame: Frame, names: UsableNames): string =>
  wholePage(frame, {
    title: 'Proof',
    folder: 'proof/',
    parts: html`<noscript><p class="callout warn">The browser reads the file, so this page needs JavaScript.</p></noscript>
      <p>Suppliers: ${names.importSuppliers.map(({ code }) => html`${code} `)}</p>`,
  })
