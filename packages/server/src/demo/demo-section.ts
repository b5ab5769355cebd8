import { basename } from 'node:path'
import { numberText } from '@account-import/account-files'
import type { ShownRun, UseCases } from '@account-import/core'
import { html, type Html, stackedBar } from '@account-import/core/html'
import { packageVersion } from '@account-import/cli/kit'
import type { Demo } from './ensure-demo.js'

const runText = ({ state, totals, undone }: ShownRun): string =>
  [
    `The latest import is ${state.replace('_', ' ')}: ${numberText(totals.created)} created`,
    `${numberText(totals.refused)} refused`,
    ...(undone === undefined ? [] : [`${numberText(undone.count)} undone`]),
  ].join(', ')

/** The created and the refused accounts of a run, as the numbers beside it say. */
const barOf = ({ totals: { created, refused } }: ShownRun): Html =>
  stackedBar([
    { tone: 'good', count: created },
    { tone: 'bad', count: refused },
  ])

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
      : html`${runText(latest)}. <code>npm run demo</code> repeats it. ${barOf(latest)}`
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
