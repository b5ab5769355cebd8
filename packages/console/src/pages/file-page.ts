import type { UsableNames } from '@account-import/core'
import { Html, html, noHtml } from '@account-import/core/html'
import { type Frame, type Page, wholePage } from '../layout.js'

/** Data for the script of a page, with the settings that rules read and no other ones. Browsers do not run it, and no text in it ends the element. */
const dataElement = (
  { root, who, scopes }: Frame,
  { importSuppliers, operationsTeams }: UsableNames,
): Html => {
  const suppliers = importSuppliers.map(({ code, context: { settings, ...context } }) => {
    const { severities, closedLists, internalEmailDomains, markets } = settings
    return {
      code,
      context: { ...context, settings: { severities, closedLists, internalEmailDomains, markets } },
    }
  })
  const data = { root, who, scopes, suppliers, teams: operationsTeams }
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  return new Html(`<script type="application/json" id="console-data">${json}</script>`)
}

/** A page whose script reads files of the visitor. `before`: fields that stand before that of the file. */
export const filePage = (
  frame: Frame,
  names: UsableNames,
  page: Pick<Page, 'title' | 'folder' | 'script'> &
    Readonly<{ lead: string; before?: Html; isMultiple?: boolean }>,
): string => {
  const { lead, before = noHtml, isMultiple = false, ...head } = page
  const fields = html`<div class="card drop">
      ${before}
      <label for="file">${isMultiple ? 'Files' : 'File'} of accounts: NDJSON or a JSON array, also as gzip</label>
      <input type="file" id="file" disabled${isMultiple ? html` multiple` : noHtml} />
      <p class="soft">You can also drop ${isMultiple ? 'them' : 'it'} anywhere on this page.</p>
    </div>
    <div id="work"></div>
    <div id="results"></div>
    ${dataElement(frame, names)}`
  return wholePage(frame, {
    ...head,
    parts: html`<p>${lead}</p>
      <noscript><p class="callout warn">The browser reads the file, so this page needs JavaScript.</p></noscript>
      ${
        names.importSuppliers.length === 0
          ? html`<p class="callout warn">There is no import supplier yet. The operator of the service adds it.</p>`
          : fields
      }`,
  })
}
