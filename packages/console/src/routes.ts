import type { UsableNames } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { accountPage } from './accounts/account.js'
import { accountSearch } from './accounts/search.js'
import type { Frame } from './layout.js'
import { dismiss, openFailures } from './open-failures.js'
import { overview } from './overview.js'
import { checkPage } from './pages/check-page.js'
import { proofPage } from './pages/proof-page.js'
import { type Answer, page, type Route, type Visit } from './route.js'
import { runAccounts } from './runs/accounts.js'
import { failuresCsv } from './runs/failures.js'
import { runList } from './runs/list.js'
import { finishRun, runPage } from './runs/run.js'
import { undo, undoPreview } from './runs/undo.js'

/** A page whose script works with the suppliers and teams of the organisation. */
const scripted =
  (pageOf: (frame: Frame, names: UsableNames) => string) =>
  async ({ useCases, organisation, frame }: Visit): Answer =>
    E.flatMap((names: UsableNames) => page(pageOf(frame, names)))(await useCases.usableNames(organisation))

/** The pages of the console by their addresses below its folder. */
export const routes: readonly Route[] = [
  { path: '', scopes: ['read'], GET: overview },
  { path: 'failures/', scopes: ['read'], GET: openFailures, POST: dismiss },
  { path: 'runs/', scopes: ['read'], GET: runList },
  { path: 'runs/{}/', scopes: ['read'], GET: runPage },
  { path: 'runs/{}/finish/', scopes: ['read', 'stage'], POST: finishRun },
  { path: 'runs/{}/failures.csv', scopes: ['read'], GET: failuresCsv },
  { path: 'runs/{}/accounts/', scopes: ['read'], GET: runAccounts },
  { path: 'runs/{}/undo/', scopes: ['read', 'undo'], GET: undoPreview, POST: undo },
  { path: 'accounts/', scopes: ['read'], GET: accountSearch },
  { path: 'accounts/account/', scopes: ['read'], GET: accountPage },
  { path: 'check/', scopes: ['validate'], GET: scripted(checkPage) },
  { path: 'proof/', scopes: ['read'], GET: scripted(proofPage) },
]
