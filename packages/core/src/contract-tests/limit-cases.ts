import type { ClaimRequest } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import { plusSeconds } from '../values/instant.js'
import { aClaim, after, aStaging, freshCode, freshNumber, freshSupplier, keyOf } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

/** The limit counts the live claims of the whole service: by this time those of all other cases have expired. */
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
  (await right(ports.accountImports.claim(requests, limit))).map(({ _tag }) => _tag)

/** Ends the claims, so that other runs on the same store do not count them. */
const endAll = (ports: StorePorts, requests: readonly ClaimRequest[]): Promise<void> =>
  right(ports.accountImports.release(requests))

/** How many claims may be live at once in the whole service. */
export const limitCases = casesOf<StorePorts>(
  'AccountImports',
  {
    'of claims at the same time no more than the limit allows are taken, and the others change nothing':
      async (ports) => {
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
    'of one list of claims no more than the limit allows are taken': async (ports) => {
      const requests = await requestsFor(ports, 5)
      const tags = await claim(ports, requests, 3)
      equal(tags.filter((tag) => tag === 'claimed').length, 3)
      equal(tags.filter((tag) => tag === 'over_limit').length, 2)
      await endAll(ports, requests)
    },
    'a released, a completed and an expired claim make room for one each; a dry run takes room too': async (
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
      await right(ports.accountImports.complete([{ ...third, platformAccountNumber: freshNumber() }]))
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
)
