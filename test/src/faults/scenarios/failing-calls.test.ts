import type { Credentials } from '@account-import/core'
import test from 'ava'
import { nthCallFails } from '../faults/calls.js'
import { faultEachCall, fixturesInMemory, type Fixtures } from '../every-call/fault-each-call.js'
import { moreCalls } from '../every-call/sent-by.js'
import { serviceCalls } from '../../use-cases/support/service-calls.js'
import { onPorts, serviceFixture, valueOf } from '../../use-cases/support/service-fixture.js'

/** `calls.long` has calls that fail after their effect or never end. */
const unavailable = async (): Promise<Fixtures> => ({
  ...(await fixturesInMemory()),
  faults: [{ moment: 'before', ending: 'unavailable' }],
})

for (const [name, call] of Object.entries({ ...serviceCalls, ...moreCalls }))
  test(`${name} is refused as unavailable and can be repeated when any one of its port calls fails`, async (t) => {
    const { injected, violations } = await faultEachCall(await unavailable(), name, call)
    t.deepEqual(violations.slice(0, 10), [])
    t.true(injected > 0)
  })

type Sessions = Readonly<{ refreshToken: string; used: string }>

/** Requests for tokens, and the answer to each when no port fails. */
const tokenRequests: Readonly<
  Record<string, (sessions: Sessions) => Readonly<{ credentials: Credentials; outcome: string }>>
> = {
  'a refresh token': ({ refreshToken }) => ({ credentials: { refreshToken }, outcome: 'obtained' }),
  'a used refresh token': ({ used }) => ({
    credentials: { refreshToken: used },
    outcome: 'RefreshTokenReused',
  }),
  'a wrong API key': () => ({
    credentials: { apiKey: `aik_${'0'.repeat(12)}_${'0'.repeat(64)}` },
    outcome: 'AuthenticationFailed',
  }),
}

const outcomeOf = (
  answer: Readonly<{ ok: true }> | Readonly<{ ok: false; refusal: { _tag: string } }>,
): string => (answer.ok ? 'obtained' : answer.refusal._tag)

for (const [what, request] of Object.entries(tokenRequests))
  test(`${what} obtains nothing when any one of the port calls of its request fails`, async (t) => {
    for (let nth = 1, isHit = true; isHit; nth += 1) {
      const fixture = await serviceFixture()
      const obtain = async (credentials: Credentials, on = fixture) =>
        on.imports.obtainToken({ credentials, address: 'here' })
      const first = valueOf(await obtain({ apiKey: fixture.apiKey }))
      const { refreshToken } = valueOf(await obtain({ refreshToken: first.refreshToken }))
      const { credentials, outcome } = request({ refreshToken, used: first.refreshToken })
      const faulty = nthCallFails(fixture.ports, nth, { moment: 'before', ending: 'unavailable' })
      const answered = outcomeOf(await obtain(credentials, onPorts(fixture, faulty.ports)))
      isHit = faulty.hit() !== undefined
      t.is(answered, isHit ? 'PortFailure' : outcome, `${nth} ${faulty.hit()}`)
    }
  })
