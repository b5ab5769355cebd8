import { E } from '@account-import/core/adapter-kit'
import { checkPage } from './pages/check-page.js'
import { proofPage } from './pages/proof-page.js'
import { page, type Route } from './route.js'

/** The pages of the console by their addresses below its folder. */
export const routes: readonly Route[] = [
  {
    path: 'check/',
    scopes: ['validate'],
    GET: async ({ useCases, organisation, frame }) =>
      E.flatMap((names: Parameters<typeof checkPage>[1]) => page(checkPage(frame, names)))(
        await useCases.usableNames(organisation),
      ),
  },
  {
    path: 'proof/',
    scopes: ['read'],
    GET: async ({ useCases, organisation, frame }) =>
      E.flatMap((names: Parameters<typeof proofPage>[1]) => page(proofPage(frame, names)))(
        await useCases.usableNames(organisation),
      ),
  },
]
