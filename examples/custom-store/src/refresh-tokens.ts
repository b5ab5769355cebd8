import { portCall, type RefreshTokens } from '@account-import/core'
import { sorted } from './pages.js'
import type { Access } from './turns.js'

export const refreshTokens = ({ read, change }: Access): RefreshTokens => {
  const call = portCall('refreshTokens')
  return {
    begin: (family, at, mostOthers) =>
      call('begin', () =>
        change((view) => {
          for (const { hash, expiresAt } of view.rows('refreshTokens'))
            if (expiresAt < at) view.put('refreshTokens', hash, null)
          const others = view
            .rows('refreshTokens')
            .filter(({ apiKeyId, hash }) => apiKeyId === family.apiKeyId && hash !== family.hash)
          for (const { hash } of sorted(others, ({ endsAt }) => endsAt)
            .toReversed()
            .slice(mostOthers))
            view.put('refreshTokens', hash, null)
          view.put('refreshTokens', family.hash, family)
        }),
      ),
    find: (hash) => call('find', () => read((view) => view.get('refreshTokens', hash))),
    follow: (hash, secretHash, next) =>
      call('follow', () =>
        change((view) => {
          const found = view.get('refreshTokens', hash)
          if (found?.secretHash !== secretHash) return false
          view.put('refreshTokens', hash, { ...found, ...next })
          return true
        }),
      ),
    end: (hash, until) =>
      call('end', () =>
        change((view) => {
          if (!view.get('refreshTokens', hash)) return
          view.put('refreshTokens', hash, null)
          view.put('endedFamilies', hash, until)
        }),
      ),
    hasEnded: (hash) => call('hasEnded', () => read((view) => view.get('endedFamilies', hash) !== undefined)),
  }
}
