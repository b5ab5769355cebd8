import type { ClaimRequest } from '../ports/account-imports.js'
import { largeAccountBytes } from '../ports/accounts.js'
import type { StorePorts } from '../ports/index.js'
import { plusSeconds } from '../values/instant.js'
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
import { casesOf, type ContractCase, equal, right } from './contract-case.js'

/** Later than the end of the claims of all other cases, as the limit counts the live claims of the whole service. */
const late = after(1_000_000_000)

type Four = readonly [ClaimRequest, ClaimRequest, ClaimRequest, ClaimRequest]

/** Stages `count` accounts of a new supplier; answers a request for each that claims it. */
const requestsFor = async (ports: StorePorts, count: number): Promise<readonly ClaimRequest[]> => {
  const supplier = await freshSupplier(ports)
  const keys = Array.from({ length: count }, (_, index) => keyOf(supplier, `n-${index}`))
  await right(ports.accountImports.stage(keys.map((key) => aStaging(key))))
  return keys.map((key) => aClaim(key, freshCode('token'), late))
}

const claim = async (ports: StorePorts, requests: readonly ClaimRequest[], limit: number) =>
  tagsOf(await right(ports.accountImports.claim(requests, limit)))

/** Ends the claims, so that other runs on the same store do not count them. */
const endAll = (ports: StorePorts, requests: readonly ClaimRequest[]): Promise<void> =>
  right(ports.accountImports.release(requests))

/** Claims on accounts, and their limit. */
export const claimCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('AccountImports', {
    'data above 128 KiB that was not validated is read, and compared as any other': async (ports) => {
      const key = await freshKey(ports)
      const text = (end: string) => JSON.stringify({ text: 'x'.repeat(largeAccountBytes), end })
      await right(ports.accountImports.stage([aStaging(key, text('a'))]))
      const creation = { ...aCreation(key), validatedUnder: undefined }
      equal(await right(ports.accountImports.create([creation])), [{ _tag: 'needs_validation' }])
      equal((await right(ports.accountImports.staged([key])))[0], { version: 1, payload: text('a') })
      equal(tagsOf(await right(ports.accountImports.create([{ ...creation, version: 1 }]))), ['created'])
      for (const [sent, isSame] of [
        [text('a'), true],
        [` ${text('a')}`, true],
        [text('b'), false],
        ['{}', false],
      ] as const)
        equal(await right(ports.accountImports.sameData([{ key, payload: sent }])), [isSame])
    },
    'a claim of staged data counts an attempt; a dry run counts none': async (ports) => {
      const key = await freshKey(ports)
      equal(await right(ports.accountImports.claim([aClaim(key, 't')])), [{ _tag: 'not_staged' }])
      await right(ports.accountImports.stage([aStaging(key, '{"v":1}')]))
      const dry = { ...aClaim(key, freshCode('dry')), countsAsAttempt: false }
      equal(await right(ports.accountImports.claim([dry])), [{ _tag: 'claimed' }])
      await right(ports.accountImports.release([{ key, token: dry.token }]))
      const request = aClaim(key, freshCode('token'))
      equal(await right(ports.accountImports.claim([request])), [{ _tag: 'claimed' }])
      const found = await right(ports.accountImports.find(key))
      equal(found?.attempts, 1)
      equal(found?.claim, { token: request.token, expiresAt: request.expiresAt })
      equal(found?.latestFailure, undefined)
    },
    'exactly one of 50 concurrent claims of one key is taken': async (ports) => {
      const key = await freshKey(ports)
      await right(ports.accountImports.stage([aStaging(key)]))
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () =>
          right(ports.accountImports.claim([aClaim(key, freshCode('token'))])),
        ),
      )
      const tags = outcomes.flat().map(({ _tag }) => _tag)
      equal(
        [tags.filter((tag) => tag === 'claimed').length, tags.filter((tag) => tag === 'in_progress').length],
        [1, 49],
      )
    },
    'a live claim refuses staging and other claims; an expired one is taken over': async (ports) => {
      const key = await freshKey(ports)
      const lost = await claimed(ports, key)
      equal(await right(ports.accountImports.claim([aClaim(key, 'other', after(59))])), [
        { _tag: 'in_progress' },
      ])
      equal(await right(ports.accountImports.stage([aStaging(key, '{}', after(59))])), [
        { _tag: 'in_progress' },
      ])
      const owner = aClaim(key, freshCode('owner'), after(60))
      equal(tagsOf(await right(ports.accountImports.claim([owner]))), ['claimed'])
      const creation = aCreation(key, after(61))
      const create = async (token: string) =>
        tagsOf(await right(ports.accountImports.create([{ ...creation, token }])))
      equal(await create(lost), ['in_progress'])
      equal(await create(owner.token), ['created'])
      equal((await right(ports.accountImports.find(key)))?.created, {
        platformAccountNumber: creation.platformAccountNumber,
        createdAt: after(61),
        stagedVersion: 1,
      })
    },
    'creation under an expired claim that was not taken over ends the claim and removes the latest failure':
      async (ports) => {
        const key = await freshKey(ports)
        const failed = await claimed(ports, key)
        await right(
          ports.accountImports.release([{ key, token: failed, failure: { code: 'error', at: start } }]),
        )
        const token = await claimed(ports, key)
        const creation = { ...aCreation(key, after(300)), token }
        equal(await right(ports.accountImports.create([creation])), [{ _tag: 'created' }])
        const found = await right(ports.accountImports.find(key))
        equal([found?.claim, found?.latestFailure, found?.attempts], [undefined, undefined, 2])
      },
    'a release ends the claim and records the failure; the release of a lost claim changes nothing': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      const token = await claimed(ports, key)
      const failure = { code: 'account_failed_validation', at: after(2) }
      await right(
        ports.accountImports.release([
          { key, token: 'someone else', failure: { ...failure, code: 'error' } },
        ]),
      )
      equal((await right(ports.accountImports.find(key)))?.claim?.token, token)
      await right(ports.accountImports.release([{ key, token, failure }]))
      const found = await right(ports.accountImports.find(key))
      equal(found?.claim, undefined)
      equal(found?.latestFailure, { code: failure.code, occurredAt: failure.at })
      const again = aClaim(key, freshCode('token'), after(3))
      equal(tagsOf(await right(ports.accountImports.claim([again]))), ['claimed'])
    },
    'a list of claims answers one outcome for each item, in its order': async (ports) => {
      const supplier = await freshSupplier(ports)
      const keys = ['c', 'a', 'b'].map((name) => keyOf(supplier, name))
      const [free, unknown, busy] = keys
      if (!free || !unknown || !busy) throw new Error('three keys')
      await right(ports.accountImports.stage([aStaging(free)]))
      await claimed(ports, busy)
      const outcomes = await right(
        ports.accountImports.claim(keys.map((key) => aClaim(key, freshCode('token'), after(1)))),
      )
      equal(tagsOf(outcomes), ['claimed', 'not_staged', 'in_progress'])
    },
    'staging, claims and marks of a created import are refused as imported, with its number': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      const { platformAccountNumber } = await created(ports, aSmallAccount(key))
      const refusal = { _tag: 'already_imported', platformAccountNumber }
      equal(await right(ports.accountImports.stage([aStaging(key)])), [refusal])
      equal(await right(ports.accountImports.claim([aClaim(key, 'other', after(100))])), [refusal])
      equal(await right(ports.accountImports.setSkipped(key, true, start)), 'already_imported')
    },
    'a claim on an import that was never staged is refused as marked to be skipped, if it is': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      equal(await right(ports.accountImports.setSkipped(key, true, start)), 'changed')
      equal(await right(ports.accountImports.claim([aClaim(key, 't')])), [{ _tag: 'marked_to_skip' }])
      equal(await right(ports.accountImports.setSkipped(key, false, start)), 'changed')
      equal(await right(ports.accountImports.claim([aClaim(key, 't')])), [{ _tag: 'not_staged' }])
    },
    'concurrent claims each have their own time and count': async (ports) => {
      const suppliers = [await freshSupplier(ports), await freshSupplier(ports)]
      const keys = suppliers.flatMap((supplier) =>
        Array.from({ length: 20 }, (_, index) => keyOf(supplier, `n-${index}`)),
      )
      await right(ports.accountImports.stage(keys.map((key) => aStaging(key))))
      const first = keys.map((key) => aClaim(key, freshCode('token')))
      await right(ports.accountImports.claim(first))
      const again = keys.map((key, index) => ({
        ...aClaim(key, freshCode('token'), after(index % 2 === 0 ? 59.999 : 60)),
        countsAsAttempt: index % 3 === 0,
      }))
      const outcomes = await Promise.all(again.map((request) => right(ports.accountImports.claim([request]))))
      for (const [index, key] of keys.entries()) {
        const isTaken = index % 2 === 1
        equal(tagsOf(outcomes[index] ?? []), [isTaken ? 'claimed' : 'in_progress'])
        const { token, expiresAt } = (isTaken ? again : first)[index] as ClaimRequest
        const found = await right(ports.accountImports.find(key))
        equal(found?.claim, { token, expiresAt })
        equal(found?.attempts, isTaken && index % 3 === 0 ? 2 : 1)
      }
    },
    'a lost claim in a list of creations refuses its own account alone, in any order': async (ports) => {
      const supplier = await freshSupplier(ports)
      const suppliers = [supplier, await freshSupplier(ports)]
      const keys = ['c', 'a', 'b'].flatMap((name) => suppliers.map((each) => keyOf(each, name)))
      const tokens = await Promise.all(keys.map((key) => claimed(ports, key)))
      const creations = keys.map((key, index) => ({
        ...aCreation(key, after(index)),
        token: index === 2 ? 'someone else' : (tokens[index] ?? ''),
      }))
      const outcomes = await right(
        ports.unitOfWork.run(supplier.organisation, (stores) => stores.accountImports.create(creations)),
      )
      equal(
        tagsOf(outcomes),
        creations.map((_, index) => (index === 2 ? 'in_progress' : 'created')),
      )
      for (const [index, { key, platformAccountNumber, at }] of creations.entries()) {
        const found = await right(ports.accountImports.find(key))
        equal(
          [found?.created, found?.claim?.token],
          index === 2
            ? [undefined, tokens[index]]
            : [{ platformAccountNumber, createdAt: at, stagedVersion: 1 }, undefined],
        )
      }
    },
  }),
  ...casesOf<StorePorts>(
    'AccountImports',
    {
      'concurrent claims are taken up to the limit, and the others change nothing': async (ports) => {
        const requests = await requestsFor(ports, 12)
        const tags = (await Promise.all(requests.map((request) => claim(ports, [request], 4)))).flat()
        equal(tags.toSorted(), [
          ...Array.from({ length: 4 }, () => 'claimed'),
          ...Array.from({ length: 8 }, () => 'over_limit'),
        ])
        for (const [index, { key, token, expiresAt }] of requests.entries()) {
          const found = await right(ports.accountImports.find(key))
          const expected = tags[index] === 'claimed' ? [1, { token, expiresAt }] : [0, undefined]
          equal([found?.attempts, found?.claim], expected)
        }
        await endAll(ports, requests)
      },
      'a list of claims is taken up to the limit': async (ports) => {
        const requests = await requestsFor(ports, 5)
        const tags = await claim(ports, requests, 3)
        equal(tags.filter((tag) => tag === 'claimed').length, 3)
        equal(tags.filter((tag) => tag === 'over_limit').length, 2)
        await endAll(ports, requests)
      },
      'a released, a used and an expired claim each free one place; a dry run needs a place too': async (
        ports,
      ) => {
        const requests = await requestsFor(ports, 4)
        const [first, second, third, fourth] = requests as Four
        const claimOne = async (request: ClaimRequest): Promise<string | undefined> =>
          (await claim(ports, [request], 2))[0]
        equal(await claimOne(first), 'claimed')
        equal(await claimOne({ ...second, countsAsAttempt: false }), 'claimed')
        equal(await claimOne(third), 'over_limit')
        await right(ports.accountImports.release([first]))
        equal([await claimOne(third), await claimOne(fourth)], ['claimed', 'over_limit'])
        await right(ports.accountImports.create([{ ...aCreation(third.key, late), token: third.token }]))
        equal([await claimOne(fourth), await claimOne(first)], ['claimed', 'over_limit'])
        const later = (request: ClaimRequest, seconds: number): ClaimRequest => ({
          ...request,
          token: freshCode('token'),
          at: plusSeconds(late, seconds),
          expiresAt: plusSeconds(late, seconds + 60),
        })
        equal(await claimOne(later(first, 59.999)), 'over_limit')
        const taken = later(first, 60)
        equal(await claimOne(taken), 'claimed')
        await endAll(ports, [...requests, taken])
      },
    },
    'alone',
  ),
]
