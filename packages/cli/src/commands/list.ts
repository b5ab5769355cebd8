import type { Entry } from '../kit/program.js'

/** The commands that read files or call the API of a service, in the order of the help. */
export const commands: readonly Entry[] = [
  ['validate', 'Check a file of accounts without server and database.', () => import('./validate.js')],
  [
    'convert',
    'Convert exported files to accounts by one SQL query, and check or import them.',
    () => import('./convert.js'),
  ],
  ['import', 'Import a file of accounts: stage them, then create them.', () => import('./import.js')],
  [
    'stage',
    'Stage the accounts of a file, through the API of the service; as import --only stage.',
    async () => ({ make: (await import('./import.js')).makeStage }),
  ],
  [
    'process',
    'Create every account that a supplier has staged, the first staged first, through the API of the service.',
    () => import('./process.js'),
  ],
  [
    'run',
    'Import runs: the counts of each, refused accounts, and undo.',
    () => import('./run.js'),
    ['list', 'show', 'failures', 'open', 'dismiss', 'undo', 'finish'],
  ],
  [
    'status',
    'Show how far the import of a supplier is, through the API of the service.',
    () => import('./status.js'),
  ],
  ['undo', 'Undo created accounts, so that they can be imported again.', () => import('./undo.js')],
  [
    'reconcile',
    'Prove that the accounts of files and those of the service are the same.',
    () => import('./reconcile.js'),
  ],
  ['explain', 'Explain an error code, and how to fix it.', () => import('./explain.js')],
]
