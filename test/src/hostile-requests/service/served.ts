import { createSqlPorts, connectSql } from '@account-import/adapter-sql'
import { makeUseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { outcomeOf, spawnCli } from '../../support/cli-process.js'
import { openSharedDatabase } from '../../support/shared-database.js'
import { setUpFacts } from './set-up-facts.js'
import type { Service } from './service.js'

/** The server as it is started by `account-import serve`, on an empty database. */
export const served = async (url: string): Promise<Service> => {
  const database = await openSharedDatabase(url)
  const child = spawnCli(['serve', '--json'], {
    ...database.environment,
    PORT: '0',
    PAYMENT_VENDORS: 'SANDBOX',
    // Its limits are for other tests: these requests come as fast as they can.
    RATE_LIMIT_PER_KEY: '1000000/60',
  })
  let stderr = ''
  child.stderr.on('data', (text: string) => (stderr += text))
  const ended = outcomeOf(child)
  let end: string | undefined
  void ended.then(({ code }) => (end = `it ended with ${code}`))
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text)
    })
    ended.then(() => reject(new Error(`serve ended: ${stderr}`)), reject)
  })
  const { address } = JSON.parse(line) as { address?: string }
  if (address === undefined) throw new Error(`serve refused: ${line}`)
  const knex = connectSql(url)
  const { operator } = makeUseCases(inMemoryPorts(createSqlPorts(knex)))
  const facts = await setUpFacts(operator, address)
  await knex.destroy()
  return {
    port: Number(new URL(address).port),
    facts,
    ended: () => end,
    log: () => stderr,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await database.close()
    },
  }
}
