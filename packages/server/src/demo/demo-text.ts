import { demoCommands } from './demo-commands.js'
import { demoData, type Demo } from './demo-data.js'

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

const commandsText = (address: string, keyFile: string): string =>
  demoCommands(address, keyFile)
    .map(({ title, command }) => `# ${title}\n${command}`)
    .join('\n\n')

const keyText = ({ apiKey, keyFile }: Demo): string =>
  apiKey === undefined ? `in ${keyFile}` : `${apiKey} (shown this once; kept in ${keyFile})`

/** Where the service is, and where it explains itself. */
export const servingText = (address: string): string =>
  `Serving ${address} (stop with Ctrl-C). Documentation: ${address}/docs/`

/** What the demo prints: where it is, the key, and the commands of the main job to type next. */
export const demoText = (address: string, demo: Demo | undefined): string =>
  demo === undefined
    ? `${servingText(address)}\n${notMade}`
    : `${servingText(address)}

Demo data:
  organisation     ${demoData.organisation}
  import supplier  ${demoData.importSupplier} (ongoing)
  operations team  ${demoData.operationsTeam}
  API key          ${keyText(demo)}

Type these in a second terminal, in the folder of the project:

${commandsText(address, demo.keyFile)}`
