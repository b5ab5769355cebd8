import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@account-import/client'
import test from 'ava'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { median } from '../support/median.js'
import { peakMemory, residentMemory } from '../support/resident-memory.js'
import { onBackend } from '../support/on-backend.js'
import { successOf } from '../support/results.js'
import { gasAccount } from '../support/samples.js'
import { bin } from '../support/cli-process.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase, type SharedDatabase } from '../support/shared-database.js'
import { exchangeBulk, openBulk, type BulkSending } from '../support/bulk-exchange.js'

const mostMiB = 20
const bytesASecond = 10_240
const seconds = 3

type Slow = Readonly<{ sending: BulkSending; database: SharedDatabase }>

/** Ends after a time-out, for any behaviour of the other side. */
const until = (): (() => boolean) => {
  const end = Date.now() + seconds * 1000
  return () => Date.now() < end
}

/** Sends as fast as the service reads, and reads a little from time to time. */
const readSlowly = async ({ sending: to, database }: Slow): Promise<void> => {
  const goesOn = until()
  const { sending, answer } = openBulk('bulkValidate', to)
  const wrong = `${JSON.stringify({ ...gasAccount(database.supplier, 'A'), customers: [{}, {}, {}] })}\n`
  const lines = wrong.repeat(100)
  sending.on('error', () => undefined)
  sending.write(lines)
  const pumping = (async () => {
    while (goesOn()) await new Promise<void>((resolve) => sending.write(lines, () => resolve()))
  })()
  const response = await answer
  response.on('error', () => undefined)
  while (goesOn()) {
    response.read(bytesASecond / 10)
    await delay(100)
  }
  sending.destroy()
  await Promise.race([pumping, delay(1000)])
}

/** Sends one line after the other, each in many small parts. */
const sendSlowly = async ({ sending: to, database }: Slow): Promise<void> => {
  const goesOn = until()
  const { sending, answer } = openBulk('bulkStage', to)
  sending.on('error', () => undefined)
  const line = Buffer.from(`${JSON.stringify(gasAccount(database.supplier, 'A'))}\n`)
  for (let at = 0; goesOn(); at = (at + 100) % line.length) {
    sending.write(line.subarray(at, at + 100))
    await delay((1000 * 100) / bytesASecond)
  }
  const response = await answer
  response.resume()
  sending.destroy()
}

for (const [name, slowly] of Object.entries({ reader: readSlowly, sender: sendSlowly }))
  test.serial(
    `a slow ${name} of 10 KB/s takes less than 20 MiB, and other requests get their responses`,
    async (t) => {
      await onBackend.sqlite(async (url) => {
        const database = await openSharedDatabase(url)
        const server = await startServerProcess(database.environment, bin)
        try {
          const token = await tokenOf(rawApi(server.address), database.apiKey)
          const sending = { baseUrl: server.address, token }
          const warmUp = `${JSON.stringify(gasAccount(database.supplier, 'A'))}\n`.repeat(1000)
          for (let round = 0; round < 5; round++) await exchangeBulk('bulkValidate', sending, warmUp)
          const client = createClient({ baseUrl: server.address, apiKey: database.apiKey })
          const times: number[] = []
          const idle = residentMemory(server.pid)
          const peak = await peakMemory(server.pid, async () => {
            const goesOn = until()
            const slow = slowly({ sending, database })
            while (goesOn()) {
              const begun = performance.now()
              successOf(await client.validateAccount(gasAccount(database.supplier, 'B')))
              times.push(performance.now() - begun)
              await delay(20)
            }
            await slow
          })
          t.log(`${(peak - idle).toFixed(1)} MiB, other requests in ${median(times).toFixed(0)} ms`)
          t.true(peak - idle < mostMiB, `${peak - idle} MiB more`)
          t.true(median(times) < 1000, `${median(times)} ms`)
        } finally {
          await server.stop()
          await database.close()
        }
      })
    },
  )
