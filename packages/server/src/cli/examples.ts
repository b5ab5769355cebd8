import type { Command } from 'commander'

const service = '--url http://127.0.0.1:8080 --api-key-file api-key'

/** What is typed, by the command that it is an example of; every command that does something has one. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve', 'PORT=9000 DATA_DIR=/srv/imports account-import serve', 'serve --migrate --workers 4'],
  migrate: ['migrate', 'migrate --status'],
  'organisation create': ["organisation create ACME --name 'Acme Energy'"],
  'organisation list': ['organisation list', 'organisation list --json'],
  'organisation disable': ['organisation disable ACME'],
  'organisation enable': ['organisation enable ACME'],
  'organisation revoke': ['organisation revoke ACME'],
  'supplier create': ['supplier create LEVANTE --organisation ACME'],
  'supplier set-status': ['supplier set-status LEVANTE paused'],
  'supplier configure': [
    'supplier configure LEVANTE --severity unknown_field=error --check-documents warn',
    'supplier configure LEVANTE --close-list sales_channel=DIRECT,EVENTS:error',
  ],
  'supplier show': ['supplier show LEVANTE', 'supplier show LEVANTE --json > settings.json'],
  'supplier list': ['supplier list'],
  'account show': ['account show LEVANTE LEV-G-000123'],
  'documents missing': ['documents missing LEVANTE', 'documents missing LEVANTE --ndjson > missing.ndjson'],
  'team create': ["team create 'Migration team'"],
  'team list': ['team list'],
  'team bind': ["team bind 'Migration team' --organisation ACME"],
  'team unbind': ["team unbind 'Migration team' --organisation ACME"],
  'api-key create': [
    'api-key create --organisation ACME --name Nightly --scope stage --scope process --scope read',
    '(umask 077; account-import api-key create --organisation ACME > api-key)',
  ],
  'api-key list': ['api-key list'],
  'api-key rotate': ['(umask 077; account-import api-key rotate 4f2k9q7x1m3p --overlap 7d > api-key)'],
  'api-key revoke': ['api-key revoke 4f2k9q7x1m3p'],
  'export-subject': ['export-subject LEVANTE LEV-G-000123 > subject.json'],
  erase: ['erase LEVANTE LEV-G-000123', 'erase LEVANTE LEV-G-000123 --yes'],
  skip: ['skip LEVANTE LEV-G-000123', 'skip LEVANTE LEV-G-000123 --undo'],
  'outbox list': ['outbox list --state parked --supplier LEVANTE'],
  'outbox retry': ['outbox retry --parked --supplier LEVANTE'],
  'audit list': [
    'audit list --supplier LEVANTE --account LEV-G-000123',
    'audit list --since 2025-09-01 --json',
  ],
  'audit verify': ['audit verify', 'audit verify --head heads.txt'],
  'audit head': ['audit head', 'audit head --json > heads.json'],
  'encryption status': ['encryption status', 'encryption status --json'],
  'encryption rewrap': ['encryption rewrap'],
  verify: ['verify', 'verify --supplier LEVANTE --json'],
  validate: [
    'validate accounts.ndjson --report report.html --failures failed.ndjson',
    'gunzip -c accounts.ndjson.gz | account-import validate - --errors - > errors.csv',
  ],
  import: [`import accounts.ndjson ${service} --team 'Migration team' --mapping mapping.csv`],
  stage: [`stage accounts.ndjson ${service}`],
  process: [`process ${service} --supplier LEVANTE --team 'Migration team'`],
  status: [`status LEVANTE ${service} --watch`],
  explain: ['explain invalid_phone_number'],
  completion: ['source <(account-import completion bash)'],
  help: ['help supplier create'],
}

const program = 'account-import'

/** An example as it is typed. */
export const typed = (example: string): string =>
  example.includes(`${program} `) ? example : `${program} ${example}`

/** Adds examples to the help of a command and of all below it. */
export const withExamples = (command: Command, path: readonly string[] = []): Command => {
  const own = examples[path.join(' ')]
  if (own !== undefined)
    command.addHelpText('after', ['', 'Examples:', ...own.map((example) => `  ${typed(example)}`)].join('\n'))
  for (const child of command.commands) withExamples(child, [...path, child.name()])
  return command
}
