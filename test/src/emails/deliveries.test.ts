import {
  instantOf,
  makeUseCases,
  portFailure,
  type ClaimedEmail,
  type EmailOutcome,
  type EmailUseCases,
} from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import {
  startBackgroundWork,
  type BackgroundOptions,
  type BackgroundWork,
} from '@account-import/core/background'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { setTimeout } from 'node:timers/promises'
import { answer } from '../support/answers.js'
import { migrating } from './support/migrating.js'
import { until } from './support/relaying.js'

const quiet: BackgroundOptions = { onFailure: () => undefined }

/** Background work whose e-mails are these. */
const startEmailRelay = (
  emails: EmailUseCases,
  emailsAtOneTime: number,
  options: BackgroundOptions,
): BackgroundWork =>
  startBackgroundWork({ ...makeUseCases(inMemoryPorts()), emails }, { ...options, emailsAtOneTime })

test('a relay has no more e-mails in hand than it may, and gives back what it claims while it stops', async (t) => {
  const world = await migrating()
  for (let index = 0; index < 12; index += 1) await answer(world.migrate(`N-${index}`))
  let [now, most] = [0, 0]
  const { emails } = world.useCases
  const slow: EmailUseCases = {
    ...emails,
    deliver: (claimed, signal) => async () => {
      now += 1
      most = Math.max(most, now)
      await setTimeout(30)
      now -= 1
      return emails.deliver(claimed, signal)()
    },
  }
  const relay = startEmailRelay(slow, 3, quiet)
  await until('all are sent', () => world.notices.length === 12)
  await relay.stop(1000)
  t.is(most, 3)

  await answer(world.migrate('late'))
  let stopping: Promise<void> | undefined
  const late: EmailUseCases = {
    ...emails,
    claimDue: (limit) => async () => {
      await setTimeout(1)
      stopping ??= stopped.stop(1000)
      return emails.claimDue(limit)()
    },
  }
  const stopped = startEmailRelay(late, 3, quiet)
  await until('it was told to stop', () => stopping !== undefined)
  await stopping
  t.is(world.notices.length, 12)
  t.is((await world.emails()).filter(({ state }) => state._tag === 'waiting').length, 1)
})

test('while the channel does not work one e-mail at a time tries it, after longer and longer pauses', async (t) => {
  const world = await migrating()
  for (let index = 0; index < 8; index += 1) await answer(world.migrate(`N-${index}`))
  const limits: number[] = []
  const outcomes: EmailOutcome[] = []
  const begun: number[] = []
  const { emails } = world.useCases
  const broken: EmailUseCases = {
    ...emails,
    claimDue: (limit) => {
      limits.push(limit)
      begun.push(Date.now())
      return emails.claimDue(limit)
    },
    deliver: (claimed) => async () => ({
      _tag: 'Right',
      right: { ...(await answer(emails.release(claimed))), code: 'unreachable' },
    }),
  }
  const relay = startEmailRelay(broken, 4, { ...quiet, onEmail: (outcome) => outcomes.push(outcome) })
  await until('three claims were made', () => limits.length >= 3)
  await relay.stop(1000)
  t.deepEqual(limits.slice(0, 3), [4, 1, 1])
  t.true((begun[1] ?? 0) - (begun[0] ?? 0) >= 700 && (begun[2] ?? 0) - (begun[1] ?? 0) >= 1400)
  t.true(outcomes.length >= 5)
})

test('a store that fails is told of, and the relay goes on when it works again', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1'))
  const { emails } = world.useCases
  let failures = 0
  const failingOnce: EmailUseCases = {
    ...emails,
    claimDue: (limit) =>
      failures === 0
        ? TE.left(portFailure('unavailable', 'outbox', 'claimDue', new Error('made to fail')))
        : emails.claimDue(limit),
  }
  const relay = startEmailRelay(failingOnce, 4, { ...quiet, onFailure: () => (failures += 1) })
  await until('it is sent', () => world.notices.length === 1)
  await relay.stop(1000)
  t.is(failures, 1)
})

test('what is still being sent when the time to stop is over is cut off', async (t) => {
  const claimed = {
    email: { id: 'x' },
    token: 't',
    leaseEndsAt: instantOf(0),
    customers: [],
  } as unknown as ClaimedEmail
  let handed = false
  const endless: EmailUseCases = {
    canSend: true,
    claimDue: () => async () => {
      const right = handed ? [] : [claimed]
      handed = true
      return { _tag: 'Right', right }
    },
    deliver: (_claimed, signal) => () =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          resolve({ _tag: 'Right', right: { id: 'x', outcome: 'released', code: 'stopped' } }),
        )
      }),
    release: () => TE.right({ id: 'x', outcome: 'released', code: undefined }),
  }
  const codes: (string | undefined)[] = []
  const relay = startEmailRelay(endless, 1, { ...quiet, onEmail: ({ code }) => codes.push(code) })
  await until('it is being sent', () => handed)
  const begun = Date.now()
  await relay.stop(200)
  t.true(Date.now() - begun >= 190 && Date.now() - begun < 2000)
  t.deepEqual(codes, ['stopped'])
})
