import { pipe, TE } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import {
  aSmallAccount,
  aStaging,
  claimed,
  freshKey,
  freshNumber,
  freshSupplier,
  keyOf,
  start,
} from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'

/** A unit of work is kept whole or not at all, and others see its changes only at its end. */
export const unitOfWorkCases = casesOf<StorePorts>('UnitOfWork', {
  'a Left takes everything back, in every store, and is the answer': async (ports) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    const account = aSmallAccount(key)
    const other = { ...key, externalAccountNumber: 'staged inside' }
    const answer = await left(
      ports.unitOfWork.run(({ accountImports, accounts }) =>
        pipe(
          accountImports.complete([
            { key, token, platformAccountNumber: account.platformAccountNumber, at: start },
          ]),
          TE.flatMap(() => accounts.create([account])),
          TE.flatMap(() => accountImports.stage([aStaging(other)])),
          TE.flatMap(() => TE.left({ _tag: 'Refused' as const })),
        ),
      ),
    )
    equal(answer._tag, 'Refused')
    equal(await right(ports.accounts.find(key)), undefined)
    equal(await right(ports.accountImports.find(other)), undefined)
    const found = await right(ports.accountImports.find(key))
    equal([found?.created, found?.claim?.token], [undefined, token])
  },
  'a Right keeps everything, and what was done is seen inside before and outside after': async (ports) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    const platformAccountNumber = freshNumber()
    const inside = await right(
      ports.unitOfWork.run(({ accountImports }) =>
        pipe(
          accountImports.complete([{ key, token, platformAccountNumber, at: start }]),
          TE.flatMap(() => accountImports.find(key)),
        ),
      ),
    )
    const created = { platformAccountNumber, createdAt: start, stagedVersion: 1 }
    equal(inside?.created, created)
    equal((await right(ports.accountImports.find(key)))?.created, created)
  },
  'of two units of work that complete one claim, one keeps its account and the other has nothing': async (
    ports,
  ) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    const create = (platformAccountNumber: string) =>
      ports.unitOfWork.run(({ accountImports, accounts }) =>
        pipe(
          accountImports.complete([{ key, token, platformAccountNumber, at: start }]),
          TE.filterOrElseW(
            ([outcome]) => outcome === 'completed',
            () => ({ _tag: 'ClaimLost' as const }),
          ),
          TE.flatMap(() => accounts.create([aSmallAccount(key, platformAccountNumber)])),
          TE.map(() => platformAccountNumber),
        ),
      )()
    const answers = await Promise.all([create(freshNumber()), create(freshNumber())])
    const kept = answers.flatMap((answer) => (answer._tag === 'Right' ? [answer.right] : []))
    equal(kept.length, 1)
    equal((await right(ports.accounts.find(key)))?.platformAccountNumber, kept[0])
  },
  'units of work on different accounts at the same time all succeed': async (ports) => {
    const supplier = await freshSupplier(ports)
    const accounts = Array.from({ length: 20 }, (_, index) => aSmallAccount(keyOf(supplier, `n-${index}`)))
    await Promise.all(
      accounts.map((account) => right(ports.unitOfWork.run((stores) => stores.accounts.create([account])))),
    )
    for (const account of accounts) equal(await right(ports.accounts.find(account.key)), account)
  },
  'a work that throws is a failure that leaves nothing, and later work goes on': async (ports) => {
    const key = await freshKey(ports)
    const failure = await left(
      ports.unitOfWork.run(({ accountImports }) =>
        pipe(
          accountImports.stage([aStaging(key)]),
          TE.map((): never => {
            throw new Error('a bug in the work')
          }),
        ),
      ),
    )
    equal(failure._tag, 'PortFailure')
    equal(await right(ports.accountImports.find(key)), undefined)
    equal((await right(ports.accountImports.stage([aStaging(key)]))).length, 1)
  },
})
