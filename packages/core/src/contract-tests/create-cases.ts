import type { AccountKey } from '../domain/account-import.js'
import { E } from '../fp.js'
import type { Creation, CreationOutcome } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { TransactionalStores } from '../ports/unit-of-work.js'
import { inSequence } from '../lists/lists.js'
import {
  aClaim,
  aCreation,
  after,
  aSmallAccount,
  aStaging,
  claimed,
  created,
  freshCode,
  freshKey,
  freshSupplier,
  keyOf,
  start,
  tagsOf,
} from './builders.js'
import { casesOf, type ContractCase, equal, left, type Refused, refused, right } from './contract-case.js'
import { payloadOf } from './payload-of.js'

const create = async (ports: StorePorts, ...creations: readonly Creation[]) =>
  right(ports.accountImports.create(creations))

const stageAt = async (ports: StorePorts, key: AccountKey, seconds: number, payload?: string) =>
  tagsOf(await right(ports.accountImports.stage([aStaging(key, payload, after(seconds))])))

/** Attempts, latest failure and number of the created account. */
const historyOf = async ({ accountImports }: StorePorts, key: AccountKey) => {
  const found = await right(accountImports.find(key))
  return [found?.attempts, found?.latestFailure?.code, found?.created?.platformAccountNumber]
}

/** The payload of a small account whose billing name is the text. */
const named = (key: AccountKey, billing_name: string): string => {
  const account = aSmallAccount(key)
  return payloadOf({ ...account, details: { ...account.details, billing_name } })
}

const nameOf = async ({ accounts }: StorePorts, key: AccountKey) =>
  (await right(accounts.find(key)))?.details.billing_name

const awkward = `{"b":1,"a":"\\u0000 \u{1F600} é e\u0301 \\\\ ' \\" % ${'x'.repeat(70_000)}","n":1.50}\n `

/** Creations that do not know the staged data of version 2 to be valid. */
const notKnowing: readonly Partial<Creation>[] = [
  { validatedUnder: 'rules 2' },
  { validatedUnder: 'RULES 1' },
  { validatedUnder: undefined },
  { validatedUnder: undefined, version: 1 },
  { validatedUnder: 'rules 1', version: 1 },
  { validatedUnder: 'rules 1', version: 3 },
]

/** Within a unit of work: reads the data to validate it, lets time pass for others, and creates the account by its version. */
const createByVersion = async (
  { accountImports }: Pick<TransactionalStores, 'accountImports'>,
  creation: Creation,
  meanwhile: () => void = () => undefined,
): PortResult<readonly CreationOutcome[]> => {
  const outcomes = await accountImports.create([{ ...creation, validatedUnder: undefined }])
  if (E.isLeft(outcomes)) return outcomes
  meanwhile()
  for (let read = 0; read < 3; read += 1) await accountImports.find(creation.key)
  if (outcomes.right[0]?._tag !== 'needs_validation') return outcomes
  const staged = await accountImports.staged([creation.key])
  return E.isLeft(staged)
    ? staged
    : accountImports.create([{ ...creation, version: staged.right[0]?.version }])
}

/** Creating accounts from their staged data. */
export const createCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('AccountImports', {
    'data that was validated under the present rules becomes an account without its version': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      await stageAt(ports, key, 0, named(key, 'first'))
      await stageAt(ports, key, 1, named(key, 'second'))
      const creation = aCreation(key, after(2))
      const { platformAccountNumber } = creation
      equal(await create(ports, creation), [{ _tag: 'created' }])
      equal(await right(ports.accountImports.find(key)), {
        key,
        stagedVersion: 2,
        skipped: false,
        claim: undefined,
        attempts: 1,
        latestFailure: undefined,
        created: { platformAccountNumber, createdAt: after(2), stagedVersion: 2 },
      })
      equal(await nameOf(ports, key), 'second')
      equal((await right(ports.accountImports.staged([key])))[0]?.payload, named(key, 'second'))
    },
    'data that was not validated under the present rules needs validation, nothing changes, and it is read unchanged with its version':
      async (ports) => {
        const key = await freshKey(ports)
        await stageAt(ports, key, 0)
        await stageAt(ports, key, 1, awkward)
        const before = await right(ports.accountImports.find(key))
        const needsValidation = [{ _tag: 'needs_validation' }]
        for (const changed of notKnowing)
          equal(await create(ports, { ...aCreation(key, after(2)), ...changed }), needsValidation)
        await right(
          ports.accountImports.stage([{ ...aStaging(key, awkward, after(2)), validatedUnder: undefined }]),
        )
        equal(await create(ports, aCreation(key, after(3))), needsValidation)
        equal(await right(ports.accountImports.staged([key])), [{ version: 3, payload: awkward }])
        equal(await right(ports.accountImports.find(key)), { ...before, stagedVersion: 3 })
        equal(await right(ports.accounts.find(key)), undefined)
      },
    'data whose version the caller names becomes an account, and data that was staged since needs validation':
      async (ports) => {
        const key = await freshKey(ports)
        await stageAt(ports, key, 0, named(key, 'validated'))
        await stageAt(ports, key, 1, named(key, 'staged since'))
        const creation = { ...aCreation(key, after(2)), validatedUnder: 'rules 2' }
        const [found] = await create(ports, { ...creation, version: 1 })
        equal(found, { _tag: 'needs_validation' })
        equal(tagsOf(await create(ports, { ...creation, version: 2 })), ['created'])
        equal(await nameOf(ports, key), 'staged since')
      },
    'a creation that is repeated with its number succeeds again, and changes nothing': async (ports) => {
      for (const isClaimed of [false, true]) {
        const key = await freshKey(ports)
        await stageAt(ports, key, 0, named(key, 'once'))
        const token = isClaimed ? await claimed(ports, key) : undefined
        const creation = { ...aCreation(key, after(2)), token }
        equal(await create(ports, creation), [{ _tag: 'created' }])
        const before = await right(ports.accountImports.find(key))
        const account = await right(ports.accounts.find(key))
        const repeated = { ...creation, at: after(9), operationsTeam: 'Other', validatedUnder: undefined }
        for (const again of [creation, repeated, { ...repeated, version: 7 }])
          equal(await create(ports, again), [{ _tag: 'created' }])
        equal(await right(ports.accountImports.find(key)), before)
        equal(await right(ports.accounts.find(key)), account)
      }
    },
    'another creation of an account that exists is refused with the number of the account': async (ports) => {
      const { key, platformAccountNumber } = await created(ports, aSmallAccount(await freshKey(ports)))
      const refusal = { _tag: 'already_imported', platformAccountNumber }
      for (const other of [{}, { token: 'a claim' }, { version: 1 }])
        equal(await create(ports, { ...aCreation(key, after(2)), ...other }), [refusal])
    },
    'a number that another account has fails its own item alone, and creates nothing': async (ports) => {
      const { platformAccountNumber } = await created(ports, aSmallAccount(await freshKey(ports)))
      const supplier = await freshSupplier(ports)
      const [first, taken, last] = ['a', 'b', 'c'].map((number) => aCreation(keyOf(supplier, number)))
      if (!first || !taken || !last) throw new Error('three creations')
      await right(ports.accountImports.stage([first, taken, last].map(({ key }) => aStaging(key))))
      const list = [first, { ...taken, platformAccountNumber }, last]
      const outcomes = await create(ports, ...list)
      equal(tagsOf(outcomes), ['created', 'failed', 'created'])
      equal(
        [...(await historyOf(ports, taken.key)), await right(ports.accounts.find(taken.key))],
        [0, undefined, undefined, undefined],
      )
      equal(await create(ports, taken), [{ _tag: 'created' }])
    },
    'one of two accounts of a list that request one number gets it': async (ports) => {
      const supplier = await freshSupplier(ports)
      const [first, second] = [aCreation(keyOf(supplier, 'a')), aCreation(keyOf(supplier, 'b'))]
      await right(ports.accountImports.stage([aStaging(first.key), aStaging(second.key)]))
      const { platformAccountNumber } = first
      const outcomes = await create(ports, first, { ...second, platformAccountNumber })
      equal(tagsOf(outcomes).toSorted(), ['created', 'failed'])
    },
    'accounts without staged data are refused, and so are skipped ones': async (ports) => {
      const supplier = await freshSupplier(ports)
      const [unknown, unmarked, skipped] = ['unknown', 'unmarked', 'skipped'].map((number) =>
        keyOf(supplier, number),
      ) as [AccountKey, AccountKey, AccountKey]
      await stageAt(ports, skipped, 0)
      for (const key of [unmarked, skipped]) await right(ports.accountImports.setSkipped(key, true, start))
      await right(ports.accountImports.setSkipped(unmarked, false, start))
      const creations = [unknown, unmarked, skipped].map((key) => aCreation(key))
      const expected = ['not_staged', 'not_staged', 'marked_to_skip']
      equal(tagsOf(await create(ports, ...creations)), expected)
      equal(
        tagsOf(
          await create(
            ports,
            ...creations.map((each) => ({ ...each, version: 0, validatedUnder: undefined })),
          ),
        ),
        expected,
      )
      equal(await right(ports.accountImports.find(unknown)), undefined)
    },
    'a live claim refuses other creations, an expired one does not, and the creation ends it': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      const lost = await claimed(ports, key)
      equal(await create(ports, aCreation(key, after(59.999))), [{ _tag: 'in_progress' }])
      equal(await create(ports, aCreation(key, after(60))), [{ _tag: 'created' }])
      const found = await right(ports.accountImports.find(key))
      equal([found?.claim, found?.attempts], [undefined, 2])
      equal(tagsOf(await create(ports, { ...aCreation(key, after(61)), token: lost })), ['already_imported'])
    },
    'a creation under a claim that was taken over or ended is refused, and changes nothing': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      const lost = await claimed(ports, key)
      const creation = { ...aCreation(key, after(61)), token: lost }
      const owner = aClaim(key, freshCode('owner'), after(60))
      await right(ports.accountImports.claim([owner]))
      equal(await create(ports, creation), [{ _tag: 'in_progress' }])
      await right(ports.accountImports.release([owner]))
      equal(await create(ports, creation), [{ _tag: 'claim_lost' }])
      equal(await create(ports, { ...creation, validatedUnder: undefined }), [{ _tag: 'claim_lost' }])
      equal(await historyOf(ports, key), [2, undefined, undefined])
    },
    'a creation counts the attempt of an account once, with a claim or without': async (ports) => {
      const supplier = await freshSupplier(ports)
      const [plain, underClaim] = [keyOf(supplier, 'plain'), keyOf(supplier, 'claimed')]
      await stageAt(ports, plain, 0)
      const token = await claimed(ports, underClaim)
      const failure = { code: 'error', at: after(1) }
      await right(ports.accountImports.release([{ key: plain, failure }]))
      const creations = [aCreation(plain), { ...aCreation(underClaim), token }]
      equal(tagsOf(await create(ports, ...creations)), ['created', 'created'])
      const [first, second] = creations.map((each) => each.platformAccountNumber)
      equal(await historyOf(ports, plain), [2, undefined, first])
      equal(await historyOf(ports, underClaim), [1, undefined, second])
    },
    'a release without a claim stores its failure and counts the attempt': async (ports) => {
      const key = await freshKey(ports)
      await stageAt(ports, key, 0)
      await right(ports.accountImports.release([{ key }]))
      equal(await historyOf(ports, key), [0, undefined, undefined])
      for (const [index, code] of ['error', 'account_failed_validation'].entries()) {
        await right(ports.accountImports.release([{ key, failure: { code, at: after(index) } }]))
        equal(await historyOf(ports, key), [index + 1, code, undefined])
      }
      await claimed(ports, key, after(100))
      await right(ports.accountImports.release([{ key, failure: { code: 'late', at: after(160) } }]))
      equal(await historyOf(ports, key), [4, 'late', undefined])
      equal(tagsOf(await create(ports, aCreation(key, after(161)))), ['created'])
      equal((await historyOf(ports, key)).slice(0, 2), [5, undefined])
    },
    'a release without a claim changes no account that was created, is skipped, claimed or was never staged':
      async (ports) => {
        const supplier = await freshSupplier(ports)
        const [unknown, marked, skipped, busy, done] = ['unknown', 'marked', 'skipped', 'busy', 'done'].map(
          (number) => keyOf(supplier, number),
        ) as [AccountKey, AccountKey, AccountKey, AccountKey, AccountKey]
        await stageAt(ports, skipped, 0)
        for (const key of [marked, skipped]) await right(ports.accountImports.setSkipped(key, true, start))
        await right(ports.accountImports.setSkipped(marked, false, start))
        await claimed(ports, busy)
        await created(ports, aSmallAccount(done))
        const keys = [unknown, marked, skipped, busy, done]
        const seen = () => Promise.all(keys.map((key) => right(ports.accountImports.find(key))))
        const before = await seen()
        const failure = { code: 'error', at: after(1) }
        await right(ports.accountImports.release(keys.map((key) => ({ key, failure }))))
        equal(await seen(), before)
      },
    'a long list of creations of several suppliers has its outcomes in order': async (ports) => {
      const suppliers = [await freshSupplier(ports), await freshSupplier(ports)]
      const keys = Array.from({ length: 75 }, (_, index) => `n-${74 - index}`).flatMap((number) =>
        suppliers.map((supplier) => keyOf(supplier, number)),
      )
      const isStaged = (index: number): boolean => index % 3 !== 0
      await right(
        ports.accountImports.stage(
          keys.flatMap((key, index) =>
            isStaged(index) ? [aStaging(key, named(key, `${index}`), after(index % 2))] : [],
          ),
        ),
      )
      const creations = keys.map((key) => aCreation(key, after(3)))
      equal(
        tagsOf(await create(ports, ...creations)),
        keys.map((_, index) => (isStaged(index) ? 'created' : 'not_staged')),
      )
      for (const [index, { key, platformAccountNumber }] of creations.entries()) {
        const account = await right(ports.accounts.find(key))
        equal(
          [account?.platformAccountNumber, account?.details.billing_name],
          isStaged(index) ? [platformAccountNumber, `${index}`] : [undefined, undefined],
        )
      }
    },
    'exactly one of many concurrent creations of one account succeeds': async (ports) => {
      const key = await freshKey(ports)
      await stageAt(ports, key, 0, named(key, 'one'))
      const creations = Array.from({ length: 20 }, () => aCreation(key, after(1)))
      const outcomes = (await Promise.all(creations.map((creation) => create(ports, creation)))).flat()
      const places = [...outcomes.keys()].filter((index) => outcomes[index]?._tag === 'created')
      equal(places.length, 1)
      const platformAccountNumber = creations[places[0] ?? 0]?.platformAccountNumber
      for (const outcome of outcomes)
        if (outcome._tag !== 'created') equal(outcome, { _tag: 'already_imported', platformAccountNumber })
      equal(await historyOf(ports, key), [1, undefined, platformAccountNumber])
      equal((await right(ports.accounts.find(key)))?.platformAccountNumber, platformAccountNumber)
    },
    'a creation concurrent with stagings of the account succeeds, with the latest data of that moment':
      async (ports) => {
        const key = await freshKey(ports)
        await stageAt(ports, key, 0, named(key, '1'))
        const stagings = Array.from({ length: 30 }, (_, index) => aStaging(key, named(key, `s-${index}`)))
        const work = stagings.map((staging) => right(ports.accountImports.stage([staging])))
        const creation = aCreation(key, after(1))
        equal(await create(ports, creation), [{ _tag: 'created' }])
        const outcomes = (await Promise.all(work)).flat()
        const { created: account } = (await right(ports.accountImports.find(key))) ?? {}
        const version = account?.stagedVersion ?? 0
        const accepted = outcomes.flatMap((outcome, index) =>
          'version' in outcome ? [[outcome.version, `s-${index}`] as const] : [],
        )
        equal(
          accepted.map(([each]) => each).toSorted((a, b) => a - b),
          Array.from({ length: version - 1 }, (_, index) => index + 2),
        )
        equal(await nameOf(ports, key), version === 1 ? '1' : new Map(accepted).get(version))
        const { platformAccountNumber } = creation
        for (const outcome of outcomes)
          if (!('version' in outcome)) equal(outcome, { _tag: 'already_imported', platformAccountNumber })
      },
  }),
  ...casesOf<StorePorts>('UnitOfWork', {
    'data that a unit of work has read to create its account does not change until the unit ends': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      await stageAt(ports, key, 0, named(key, 'read'))
      let staging: Promise<readonly string[]> | undefined
      const creation = aCreation(key, after(1))
      const outcomes = await right(
        ports.unitOfWork.run(key.organisation, (stores) =>
          createByVersion(stores, creation, () => {
            staging ??= stageAt(ports, key, 1, named(key, 'meanwhile'))
          }),
        ),
      )
      equal(outcomes, [{ _tag: 'created' }])
      equal(await staging, ['already_imported'])
      equal(await nameOf(ports, key), 'read')
    },
    'exactly one of many concurrent units of work that create one account succeeds': async (ports) => {
      const key = await freshKey(ports)
      await stageAt(ports, key, 0, named(key, 'one'))
      const creations = Array.from({ length: 8 }, () => aCreation(key, after(1)))
      const outcomes = await Promise.all(
        creations.map((creation) =>
          right(ports.unitOfWork.run(key.organisation, (stores) => createByVersion(stores, creation))),
        ),
      )
      equal(tagsOf(outcomes.flat()).toSorted(), [
        ...Array.from({ length: 7 }, () => 'already_imported'),
        'created',
      ])
    },
    'a Left rolls back a creation: its account, its attempt and its number': async (ports) => {
      const key = await freshKey(ports)
      await stageAt(ports, key, 0, named(key, 'taken back'))
      const before = await right(ports.accountImports.find(key))
      const creation = aCreation(key, after(1))
      const inside: unknown[] = []
      await left(
        ports.unitOfWork.run(key.organisation, ({ accountImports, accounts }) =>
          inSequence<Refused | PortFailure, never>(
            () => accountImports.create([creation]),
            async () => {
              inside.push((await right(accounts.find(key)))?.platformAccountNumber)
              return E.left(refused)
            },
          ),
        ),
      )
      equal(inside.at(-1), creation.platformAccountNumber)
      equal(await right(ports.accountImports.find(key)), before)
      equal(await right(ports.accounts.find(key)), undefined)
      equal(await create(ports, creation), [{ _tag: 'created' }])
    },
    'a number that another account has is a failure in a unit of work': async (ports) => {
      const { platformAccountNumber } = await created(ports, aSmallAccount(await freshKey(ports)))
      const key = await freshKey(ports)
      await stageAt(ports, key, 0)
      const creation = { ...aCreation(key), platformAccountNumber }
      const failure = await left(
        ports.unitOfWork.run(key.organisation, (stores) => stores.accountImports.create([creation])),
      )
      equal(failure._tag, 'PortFailure')
      equal(await historyOf(ports, key), [0, undefined, undefined])
    },
  }),
]
