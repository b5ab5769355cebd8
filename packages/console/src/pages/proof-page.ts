import type { UsableNames } from '@account-import/core'
import { html } from '@account-import/core/html'
import type { Frame } from '../layout.js'
import { filePage } from './file-page.js'

/** The page that compares files with the accounts of the service in the browser. */
export const proofPage = (frame: Frame, names: UsableNames): string =>
  filePage(frame, names, {
    title: 'Proof',
    folder: 'proof/',
    script: 'proof.js',
    lead: 'Proves that the accounts of your files and those of the service are the same. The service sends digests, your browser compares. No account is sent in either direction.',
    isMultiple: true,
    before: html`<p>
      <label for="supplier">Import supplier</label>
      <select id="supplier">
        ${names.importSuppliers.map(({ code }) => html`<option>${code}</option> `)}
      </select>
    </p>`,
  })
