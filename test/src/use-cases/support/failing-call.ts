import { portFailure, type PortFailure, type Ports, type TransactionalStores } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'

type Operation = (...input: readonly unknown[]) => unknown

const storeNames = [
  'accountImports',
  'accounts',
  'apiKeys',
  'importSuppliers',
  'operationsTeams',
  'organisations',
  'outbox',
  'platformAccountNumbers',
  'refreshTokens',
] as const

/**
 * Ports of which the `nth` call overall fails, wherever it is made, inside a unit of work too. `hit` says
 * afterwards whether there was such a call.
 */
export const failingCall = (
  ports: Ports,
  nth: number,
  kind: PortFailure['kind'],
): Readonly<{ ports: Ports; hit: () => boolean }> => {
  let calls = 0
  const guard = (store: object): object =>
    Object.fromEntries(
      Object.entries(store).map(([name, operation]: [string, Operation]) => [
        name,
        (...input: readonly unknown[]) => {
          calls += 1
          return calls === nth
            ? TE.left(portFailure(kind, 'failing', name, new Error('made to fail')))
            : operation(...input)
        },
      ]),
    )
  const guarded = Object.fromEntries(storeNames.map((name) => [name, guard(ports[name])]))
  const inside = (stores: TransactionalStores): TransactionalStores => ({
    ...stores,
    ...Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, guard(store)])),
  })
  return {
    ports: {
      ...ports,
      ...guarded,
      unitOfWork: { run: (work) => ports.unitOfWork.run((stores) => work(inside(stores))) },
    },
    hit: () => calls >= nth,
  }
}
