import { demoData } from './demo-data.js'

/** One command line to type, and what it is for. */
export type DemoCommand = Readonly<{ title: string; command: string }>

const sample = { file: 'examples/samples/gas-account.json', externalAccountNumber: 'LEV-G-000123' }

const json = "-H 'Content-Type: application/json'"
const token = '-H "Authorization: Token $TOKEN"'

/** A path as a shell takes it for one word. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`

/** The key goes from its file through pipes: `printf` is the shell's own, so no list of processes ever shows it. */
const obtainToken = (address: string, keyFile: string): string =>
  [
    `TOKEN=$(printf '{"query":"mutation { obtainToken(input: {apiKey: \\\\"%s\\\\"}) { token } }"}' "$(cat ${quoted(keyFile)})" \\`,
    `  | curl -s ${address}/v1/graphql/ ${json} -d @- \\`,
    `  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
  ].join('\n')

const post = (address: string, path: string, data: string): string =>
  `curl -s ${address}/v1/data-import/${path} ${token} ${json} \\\n  --data-binary ${data}; echo`

/** What can be added to the sample account, once it is created. */
const additions: readonly Readonly<{ title: string; path: string; file: string }>[] = [
  { title: 'Add notes to it: again, they are there already', path: 'notes/create/', file: 'notes.json' },
  { title: 'Add transactions', path: 'transactions/create/', file: 'transactions.json' },
  {
    title: 'Add bills from before: again, they are refused',
    path: 'historical-statements/create/',
    file: 'historical-statements.json',
  },
  {
    title: 'Add a payment instruction, which the vendor SANDBOX verifies',
    path: 'payment-instruction/create/',
    file: 'payment-instruction.json',
  },
]

/** The main job by curl, to be typed in order where the samples lie. */
export const demoCommands = (address: string, keyFile: string): readonly DemoCommand[] => {
  const request = JSON.stringify({
    external_account_number: sample.externalAccountNumber,
    import_supplier_code: demoData.importSupplier,
    operations_team_name: demoData.operationsTeam,
  })
  const pair = `${demoData.importSupplier}/${sample.externalAccountNumber}`
  return [
    { title: 'Obtain a token (good for an hour)', command: obtainToken(address, keyFile) },
    {
      title: 'Validate an account: answers 200 with the account',
      command: post(address, 'validate-account/', `@${sample.file}`),
    },
    {
      title: 'Stage it: answers 201 the first time, 200 when it is replaced',
      command: post(address, 'account-import-process/create-or-update/', `@${sample.file}`),
    },
    {
      title: 'Process it: creates the account and answers its number',
      command: post(address, 'account-import-process/process/', `'${request}'`),
    },
    ...additions.map(({ title, path, file }) => ({
      title,
      command: post(address, path, `@examples/samples/${file}`),
    })),
    {
      title: 'Ask for its status',
      command: `curl -s ${address}/v1/data-import/account-transfer-status/${pair}/ ${token}; echo`,
    },
    {
      title: 'List all imports of the supplier',
      command: `curl -s ${address}/v1/data-import/all-account-import-processes/${demoData.importSupplier}/ ${token}; echo`,
    },
  ]
}
