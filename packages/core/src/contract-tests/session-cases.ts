import type { RefreshTokenFamily } from '../ports/access.js'
import type { StorePorts } from '../ports/index.js'
import { after, anApiKey, freshCode, freshSupplier, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

/** Every counter of failed attempts. */
export const failedAttemptCases = [
  ...casesOf<Pick<StorePorts, 'failedAttempts'>>('FailedAttempts', {
    'attempts are counted by subject for 60 seconds': async ({ failedAttempts: attempts }) => {
      const subject = freshCode('subject')
      equal(await right(attempts.recent(subject, after(0))), 0)
      for (const [index, second] of [0, 10, 20].entries())
        equal(await right(attempts.record(subject, after(second))), index + 1)
      await right(attempts.record(freshCode('other'), after(20)))
      equal(await right(attempts.recent(subject, after(21))), 3)
      equal(await right(attempts.recent(subject, after(65))), 2)
      equal(await right(attempts.recent(subject, after(100))), 0)
    },
  }),
  ...casesOf<Pick<StorePorts, 'failedAttempts'>>(
    'FailedAttempts',
    {
      '20 concurrent failures of a subject each get their own number, and subjects are compared exactly':
        async ({ failedAttempts: attempts }) => {
          const subject = freshCode('subject')
          const counts = await Promise.all(
            Array.from({ length: 20 }, () => right(attempts.record(subject, after(1)))),
          )
          equal(
            counts.toSorted((one, other) => one - other),
            Array.from({ length: 20 }, (_, index) => index + 1),
          )
          for (const other of [subject.toUpperCase(), `${subject} `])
            equal(await right(attempts.recent(other, after(2))), 0)
          equal(await right(attempts.recent(subject, after(2))), 20)
        },
    },
    'alone',
  ),
]

const port = 'RefreshTokens'
const most = 100

const freshHash = (prefix = 'hash'): string => freshCode(prefix).padEnd(64, '0')

const aFamily = (apiKeyId: string, changes: Partial<RefreshTokenFamily> = {}): RefreshTokenFamily => ({
  hash: freshHash(),
  apiKeyId,
  secretHash: freshHash(),
  expiresAt: after(100),
  endsAt: after(1000),
  ...changes,
})

const freshKeyId = async (ports: StorePorts): Promise<string> => {
  const { organisation } = await freshSupplier(ports)
  const key = anApiKey(organisation)
  await right(ports.apiKeys.create(key))
  return key.id
}

/** Families of refresh tokens. */
export const refreshTokenCases = casesOf<StorePorts>(port, {
  'exactly one of 20 concurrent uses of one token is followed by another token': async (ports) => {
    const family = aFamily(await freshKeyId(ports))
    await right(ports.refreshTokens.begin(family, start, most))
    equal(await right(ports.refreshTokens.find(family.hash)), family)
    const nexts = Array.from({ length: 20 }, () => ({ secretHash: freshHash(), expiresAt: after(200) }))
    const uses = await Promise.all(
      nexts.map((next) => right(ports.refreshTokens.follow(family.hash, family.secretHash, next))),
    )
    equal(uses.filter(Boolean).length, 1)
    equal(await right(ports.refreshTokens.find(family.hash)), { ...family, ...nexts[uses.indexOf(true)] })
    equal(await right(ports.refreshTokens.follow(family.hash, family.secretHash, family)), false)
  },
  'an ended family is not found and has no next token; ending it again is no failure': async (ports) => {
    const keyId = await freshKeyId(ports)
    const [ended, other] = [aFamily(keyId), aFamily(keyId)]
    for (const family of [ended, other]) await right(ports.refreshTokens.begin(family, start, most))
    for (let time = 0; time < 2; time++) await right(ports.refreshTokens.end(ended.hash, after(500)))
    equal(await right(ports.refreshTokens.find(ended.hash)), undefined)
    equal(await right(ports.refreshTokens.follow(ended.hash, ended.secretHash, ended)), false)
    equal(await right(ports.refreshTokens.find(other.hash)), other)
    equal(await right(ports.refreshTokens.hasEnded(ended.hash)), true)
    for (const hash of [other.hash, freshHash()])
      equal(await right(ports.refreshTokens.hasEnded(hash)), false)
  },
  'an ended family is still found as ended after 30 others have begun': async (ports) => {
    const keyId = await freshKeyId(ports)
    const ended = aFamily(keyId, { endsAt: after(1) })
    await right(ports.refreshTokens.begin(ended, start, most))
    await right(ports.refreshTokens.end(ended.hash, after(500)))
    for (let nth = 0; nth < 30; nth++) await right(ports.refreshTokens.begin(aFamily(keyId), start, 2))
    equal(await right(ports.refreshTokens.hasEnded(ended.hash)), true)
  },
  'beginning a family keeps those whose latest token has not ended': async (ports) => {
    const keyId = await freshKeyId(ports)
    const [living, second] = [
      aFamily(keyId, { expiresAt: after(60) }),
      aFamily(keyId, { expiresAt: after(90) }),
    ]
    await right(ports.refreshTokens.begin(living, start, most))
    await right(ports.refreshTokens.begin(second, after(60), most))
    for (const family of [living, second]) equal(await right(ports.refreshTokens.find(family.hash)), family)
  },
  'a key keeps its families that end last, and the one that begins; other keys keep theirs': async (
    ports,
  ) => {
    const [keyId, otherId] = [await freshKeyId(ports), await freshKeyId(ports)]
    const other = aFamily(otherId, { endsAt: after(1) })
    await right(ports.refreshTokens.begin(other, start, 1))
    const families = [5, 3, 4, 1].map((second) => aFamily(keyId, { endsAt: after(second) }))
    for (const family of families) await right(ports.refreshTokens.begin(family, start, 2))
    const found = await Promise.all(families.map(({ hash }) => right(ports.refreshTokens.find(hash))))
    equal(
      found.map((family) => family?.endsAt),
      [after(5), undefined, after(4), after(1)],
    )
    equal(await right(ports.refreshTokens.find(other.hash)), other)
  },
  'hashes are compared exactly, and ending a family ends no other': async (ports) => {
    const keyId = await freshKeyId(ports)
    const [used, kept] = [aFamily(keyId, { hash: freshHash('a') }), aFamily(keyId, { hash: freshHash('b') })]
    for (const family of [used, kept]) await right(ports.refreshTokens.begin(family, start, most))
    for (const hash of [used.hash.toUpperCase(), `${used.hash} `, ` ${used.hash}`]) {
      equal(await right(ports.refreshTokens.find(hash)), undefined)
      equal(await right(ports.refreshTokens.follow(hash, used.secretHash, used)), false)
      await right(ports.refreshTokens.end(hash, after(500)))
      equal(await right(ports.refreshTokens.hasEnded(hash)), false)
    }
    for (const secretHash of [used.secretHash.toUpperCase(), `${used.secretHash} `])
      equal(await right(ports.refreshTokens.follow(used.hash, secretHash, used)), false)
    for (const family of [used, kept]) equal(await right(ports.refreshTokens.find(family.hash)), family)
  },
})
