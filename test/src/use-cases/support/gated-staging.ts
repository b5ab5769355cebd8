import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ports } from '@account-import/core'

/** Every promise that can go on without anything from outside has gone on. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 300; turn += 1) await nextTurn()
}

/** Ports whose store holds the staging of some account numbers until it is let go on. */
export const gatedStaging = (isHeld: (number: string) => boolean) => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  /** The numbers, in the order in which they came to the store. */
  const begun: string[] = []
  const on = ({ accountImports }: Ports): Partial<Ports> => ({
    accountImports: {
      ...accountImports,
      stage: (stagings) => async () => {
        const number = stagings[0]?.key.externalAccountNumber ?? ''
        begun.push(number)
        if (isHeld(number)) await opened
        return accountImports.stage(stagings)()
      },
    },
  })
  return { on, begun, open: () => open() }
}
