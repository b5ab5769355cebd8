import { createClient } from '@account-import/client'
import { setTimeout } from 'node:timers/promises'
import { recover } from '../crash/recover.js'
import { emptyTally, type Tally } from '../crash/tally.js'
import { startTraffic } from '../crash/traffic.js'
import { openRelaying, type Relaying } from '../emails/support/relaying.js'
import { startSmtpServer, type SmtpTestServer } from '../emails/support/smtp-server.js'
import { checkEmails } from './check-emails.js'

/** What came of it. All is well when `faults` is empty. */
export type EmailCrashSummary = Readonly<{
  kills: number
  accounts: number
  /** Messages that the SMTP server took over. */
  delivered: number
  /** Of these, repetitions of an e-mail that was there already. */
  repeated: number
  /** E-mails that killed servers had taken and not settled, all kills together. */
  leftInLease: number
  seconds: number
  faults: readonly string[]
}>

const clients = 4
/** More than a server processes before it is killed. */
const enough = 60
/** The SMTP server takes its time, so that kills fall between a message and its record. */
const answerMilliseconds = 15
const mostRecoveryMilliseconds = 150_000

type Run = Readonly<{ world: Relaying; tally: Tally; numbers: string[]; leased: Set<string> }>

const stageEnough = async ({ world, tally, numbers }: Run): Promise<void> => {
  const missing = Math.max(0, enough - tally.waiting.length)
  const fresh = Array.from({ length: missing }, (_, index) => `A-${numbers.length + index}`)
  await world.stage(fresh)
  numbers.push(...fresh)
  tally.waiting.unshift(...fresh)
}

const startedServer = async (world: Relaying) => {
  const server = await world.start()
  const client = createClient({ baseUrl: server.address, apiKey: world.apiKey })
  await client.transferStatus(world.supplier, 'none')
  return { server, client }
}

/** Serves, creates accounts and sends their e-mails, and is killed at a random moment while it does both. */
const round = async (run: Run, smtp: SmtpTestServer): Promise<void> => {
  const { world, tally, leased } = run
  await stageEnough(run)
  const { server, client } = await startedServer(world)
  const before = smtp.received.length
  const traffic = startTraffic(world, client, tally, clients)
  await traffic.flowing
  for (let waits = 0; waits < 300 && smtp.received.length === before; waits += 1) await setTimeout(10)
  await setTimeout(Math.random() * 300)
  await server.kill()
  await traffic.stop()
  for (const { id, state } of await world.emails()) if (state._tag === 'sending') leased.add(id)
}

/** Creates what is left, and waits until the e-mails of killed servers are due again and sent. */
const finish = async ({ world, tally }: Run): Promise<void> => {
  const { server, client } = await startedServer(world)
  try {
    await recover(world, client, tally, clients)
    const begun = Date.now()
    for (;;) {
      const { waiting = 0, sending = 0 } = await world.states()
      if (waiting + sending === 0 || Date.now() - begun > mostRecoveryMilliseconds) return
      await setTimeout(200)
    }
  } finally {
    await server.stop()
  }
}

/** Kills the server so many times while it sends e-mails, and checks what arrived. The database is empty before. */
export const emailCrashRun = async (url: string, kills: number): Promise<EmailCrashSummary> => {
  const begun = Date.now()
  const smtp = await startSmtpServer({ data: () => setTimeout(answerMilliseconds, undefined) })
  const world = await openRelaying(url, {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=off`,
    MAIL_TIMEOUT_SECONDS: '1',
    MAIL_RETRY_SECONDS: '1',
    PROCESSING_CLAIM_SECONDS: '1',
  })
  try {
    const run: Run = { world, tally: emptyTally(), numbers: [], leased: new Set() }
    for (let kill = 0; kill < kills; kill += 1) await round(run, smtp)
    await finish(run)
    const { repeated, faults } = await checkEmails(world, smtp.received, run.numbers)
    return {
      kills,
      accounts: run.numbers.length,
      delivered: smtp.received.length,
      repeated,
      leftInLease: run.leased.size,
      seconds: Math.round((Date.now() - begun) / 1000),
      faults: [...run.tally.unexpected, ...faults],
    }
  } finally {
    await world.close()
    await smtp.close()
  }
}
