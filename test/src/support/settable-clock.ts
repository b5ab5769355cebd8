import { instantOf, type Clock } from '@account-import/core'

/** A clock that runs as the system's does, as far ahead of it as it was put. */
export type SettableClock = Clock & Readonly<{ advance(seconds: number): void }>

export const settableClock = (): SettableClock => {
  let ahead = 0
  return {
    now: () => instantOf(Date.now() + ahead),
    advance: (seconds) => {
      ahead += seconds * 1000
    },
  }
}
