import { basename } from 'node:path'
import { numberText } from '@account-import/account-files'
import type { ShownRun, UseCases } from '@account-import/core'
import { html, type Html } from '@account-import/core/html'
import { packageVersion } from '@account-import/cli/kit'
import type { Demo } from './ensure-demo.js'

const runText = ({ state, totals, undone }: ShownRun): string =>
  [
    `The latest import is ${state.replace('_', ' ')}: ${numberText(totals.created)} created`,
    `${numberText(totals.refused)} refused`,
    ...(undone === undefined ? [] : [`${numberText(undone.count)} undone`]),
  ].join(', ')

/** The created and the refused accounts of a run, as the numbers beside it say. */
const bar = ({ totals: { created, refused } }: ShownRun): Html =>
  html`<svg class="bar" viewBox="0 0 ${Math.max(1, created + refused)} 1" preserveAspectRatio="none" aria-hidden="true">
      <rect class="good" width="${created}" height="1" />
      <rect class="bad" x="${created}" width="${refused}" height="1" />
    </svg> `

/** The section about demo data on the page of the service. It names the file of the key, and neither its folder nor the key. */
export const demoSection = async (
  { importRunsPage }: Pick<UseCases, 'importRunsPage'>,
  { organisation, importSupplier, generatedSupplier, operationsTeam, keyFile }: Demo,
): Promise<Html> => {
  const request = { organisation, importSupplier: generatedSupplier, after: undefined, limit: 1 }
  const runs = await importRunsPage(request)
  const latest = runs._tag === 'Right' ? runs.right.items[0] : undefined
  const made =
    latest === undefined
      ? html`<code>npm run demo</code> in a second terminal imports a thousand made-up accounts, some of them invalid.`
      : html`${runText(latest)}. <code>npm run demo</code> repeats it. ${bar(latest)}`
  return html`<h2>Demo data</h2>
    <p>${made}</p>
    <dl>
      <dt>Suppliers</dt>
      <dd><code>${importSupplier}</code> for files of your own, <code>${generatedSupplier}</code> for the made-up accounts</dd>
      <dt>Team</dt>
      <dd>${operationsTeam}</dd>
      <dt>API key</dt>
      <dd>in the file <code>${basename(keyFile)}</code> of the data folder; the terminal shows its path</dd>
      <dt>Version</dt>
      <dd>${packageVersion()}</dd>
    </dl> `
}
