import { setTimeout } from 'node:timers/promises'
import { startSmtpServer, type SmtpTestServer } from '../../emails/support/smtp-server.js'
import { onBackend, type DatabaseBackend } from '../../support/on-backend.js'
import { faultRun } from '../fault-run.js'
import { killedAtOnce } from '../faults/on-servers.js'
import { emailsOf } from '../invariants/look-at.js'
import { inWorld, type World } from '../world/world.js'

/** The requests of clients to a server that is killed. */
export const works = ['accounts', 'additions'] as const
export type Work = (typeof works)[number]

const clients = 8

/** Stages more accounts than a server processes before it is killed. */
const stageEnough = ({ requests, stageDirectly }: World, many: number): Promise<void> =>
  stageDirectly(Math.max(0, many - requests.waiting.length))

/** Claims on accounts that do not exist: accounts that the server was creating when it ended. */
const noteClaims = async ({ database }: World, claims: Set<string>): Promise<void> => {
  const open = database
    .knex('account_imports')
    .whereNotNull('claim_token')
    .whereNull('platform_account_number')
  for (const claim of (await open.pluck('claim_token')) as readonly string[]) claims.add(claim)
}

/** Kills a server a number of times under clients that process accounts, or add to them, and checks the data. */
export const killsRun = (backend: DatabaseBackend, work: Work, kills: number) =>
  onBackend[backend]((url) =>
    inWorld([url], { busy: work === 'additions' ? 4 : 0 }, async (world) => {
      const claims = new Set<string>()
      const [kind, many] = work === 'accounts' ? (['processing', 200] as const) : (['additions', 0] as const)
      const stage = (): Promise<void> => stageEnough(world, many)
      await stage()
      const fault = killedAtOnce({
        times: kills,
        stage,
        // Each second time it has just started.
        moment: async ({ load }, kill) => {
          if (kill % 2 === 0) await load.allAnswer(30_000)
        },
        whileGone: () => noteClaims(world, claims),
      })
      const outcome = await faultRun(world, fault, { kinds: [kind], clientsEach: clients })
      // Requests that kills interrupted, and claims that killed servers left, of all kills together.
      return { ...outcome, interrupted: world.tally.counts.unanswered, claimsLeft: claims.size }
    }),
  )

/** The SMTP server is slow, so that kills happen between a message and its record. */
const answerMilliseconds = 15
const mostRecoveryMilliseconds = 150_000

const emailsIn = ({ ports, database: { organisation, supplier: code } }: World) =>
  emailsOf(ports, { organisation, code })

/** Resolves when e-mails of killed servers were due again and are sent, or after the time limit. */
const untilSent = async (world: World): Promise<void> => {
  const begun = Date.now()
  const open = async (): Promise<boolean> =>
    (await emailsIn(world)).some(({ state }) => state._tag === 'waiting' || state._tag === 'sending')
  while ((await open()) && Date.now() - begun < mostRecoveryMilliseconds) await setTimeout(500)
}

/** Accounts without an e-mail that arrived and is recorded as sent, and messages that belong to no account. */
const emailFaults = async (world: World, smtp: SmtpTestServer) => {
  const arrived = new Set(smtp.received.map(({ email }) => email.messageId))
  const emails = await emailsIn(world)
  const faults = emails.flatMap(({ id, key, state }) => {
    const number = key.externalAccountNumber
    if (state._tag !== 'sent') return [`I4: ${number}: its e-mail is ${state._tag}`]
    return arrived.has(`<${id}@example.com>`) ? [] : [`I2: ${number}: its e-mail is lost`]
  })
  if (arrived.size !== emails.length) faults.push(`I5: ${arrived.size} messages of ${emails.length} e-mails`)
  return { repeated: smtp.received.length - arrived.size, accounts: emails.length, faults }
}

/** Kills a server a number of times while it creates accounts and sends their e-mails, and checks the received e-mails. */
export const emailsRun = async (backend: DatabaseBackend, kills: number) => {
  const smtp = await startSmtpServer({ data: () => setTimeout(answerMilliseconds, undefined) })
  const settings = {
    MAIL_FROM: 'Llum <no-reply@example.com>',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=off`,
    MAIL_TIMEOUT_SECONDS: '1',
    MAIL_RETRY_SECONDS: '1',
  }
  const leased = new Set<string>()
  const noteLeased = async (world: World): Promise<void> => {
    for (const { id, state } of await emailsIn(world)) if (state._tag === 'sending') leased.add(id)
  }
  const stage = (world: World): Promise<void> => stageEnough(world, 60)
  const moment = async (): Promise<void> => {
    const before = smtp.received.length
    for (let waits = 0; waits < 300 && smtp.received.length === before; waits += 1) await setTimeout(10)
  }
  try {
    const work = async (world: World) => {
      await stage(world)
      const fault = killedAtOnce({ times: kills, stage, moment, whileGone: noteLeased })
      const outcome = await faultRun(world, fault, { kinds: ['processing'], clientsEach: 4 })
      await untilSent(world)
      const { faults, accounts, repeated } = await emailFaults(world, smtp)
      return {
        kills,
        accounts,
        /** Messages that the SMTP server accepted, and the number of repeated ones. */
        delivered: smtp.received.length,
        repeated,
        /** E-mails that killed servers had claimed and not settled, of all kills together. */
        leftInLease: leased.size,
        faults: [...outcome.faults, ...faults],
      }
    }
    return await onBackend[backend]((url) => inWorld([url], { settings }, work))
  } finally {
    await smtp.close()
  }
}
