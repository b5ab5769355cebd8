import { dirname, resolve } from 'node:path'
import { shellWord } from '../program-name.js'
import { type Demo, demoData } from './ensure-demo.js'

/** The demo as `--json` shows it; `null` where none was made. The key is there in the run that made it. */
export const demoJson = (demo: Demo | undefined) =>
  demo === undefined
    ? null
    : {
        organisation: demoData.organisation,
        import_supplier: demoData.importSupplier,
        operations_team: demoData.operationsTeam,
        api_key: demo.apiKey ?? null,
        api_key_file: demo.keyFile,
      }

const notMade = 'It holds organisations of its own, so no demo data was made.'

/** Where the service is, and where it explains itself. */
export const servingText = (address: string): string =>
  `Serving ${address} (stop with Ctrl-C). Documentation: ${address}/docs/`

/** The second terminal knows neither PORT nor DATA_DIR of the first one. */
const runDemo = (address: string, { keyFile }: Demo): string => {
  const folder = dirname(keyFile)
  const options = [
    ...(address === 'http://127.0.0.1:8080' ? [] : ['--url', address]),
    ...(folder === resolve('data') ? [] : ['--data', folder]),
  ]
  return ['npm run demo', ...(options.length === 0 ? [] : ['--', ...options.map(shellWord)])].join(' ')
}

/** The text of the demo: where it is, where the key lies, and what to do next. The key itself is no text for a screen. */
export const demoText = (address: string, demo: Demo | undefined): string =>
  demo === undefined
    ? `${servingText(address)}\n${notMade}`
    : `${servingText(address)}

API key of the demo: in ${demo.keyFile} (supplier ${demoData.importSupplier}, team '${demoData.operationsTeam}')
Next, in a second terminal: ${runDemo(address, demo)} (imports a thousand made-up accounts)
A CSV file of your own: ${address}/docs/tutorials/from-a-csv-export/`
