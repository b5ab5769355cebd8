import { bundledMarkets } from '@account-import/core'
import { join } from 'node:path'
import { ContainerModule } from 'inversify'
import test, { type ExecutionContext } from 'ava'
import { instantOf, type Clock } from '@account-import/core'
import {
  createContainer,
  databaseId,
  openService,
  portIds,
  readConfig,
  useCasesId,
  type ServerConfig,
} from '@account-import/server'
import { tempFolder } from '../support/temp-folder.js'

const config = async (t: ExecutionContext): Promise<ServerConfig> => {
  const read = readConfig({ DATABASE_URL: `sqlite:${join(await tempFolder(t), 'x.sqlite')}` }, 'operate')
  if (read._tag === 'Left') throw new Error('the configuration of the test is wrong')
  return { ...read.right, dataDir: await tempFolder(t) }
}

const stopped: Clock = { now: () => instantOf(Date.UTC(2031, 0, 1)) }

test('a module loaded after the bundled ones replaces a port, and the use cases use it', async (t) => {
  const stoppedClock = new ContainerModule(({ rebind }) => {
    rebind(portIds.clock).toConstantValue(stopped)
  })
  const service = await openService(await config(t), { modules: [stoppedClock] })
  t.teardown(() => service.close())
  const made = await service.useCases.operator.createOrganisation({ code: 'ACME' })()
  t.deepEqual(made, {
    _tag: 'Right',
    right: { code: 'ACME', name: 'ACME', createdAt: instantOf(Date.UTC(2031, 0, 1)), disabledAt: undefined },
  })
})

test('unbinding the container closes the database, and one use cases object serves the whole container', async (t) => {
  const container = createContainer(await config(t), undefined)
  t.is(container.get(useCasesId), container.get(useCasesId))
  const database = container.get(databaseId)
  t.deepEqual(await database.raw('select 1 as one'), [{ one: 1 }])
  await container.unbindAllAsync()
  await t.throwsAsync(() => database.raw('select 1 as one'), { any: true })
})

test('without a signing key no token is made, so operator commands cannot be used to issue one', async (t) => {
  const service = await openService(await config(t))
  t.teardown(() => service.close())
  const { operator, obtainToken } = service.useCases
  await operator.createOrganisation({ code: 'ACME' })()
  const made = await operator.createApiKey({ organisation: 'ACME' })()
  const apiKey = made._tag === 'Right' ? made.right.apiKey : ''
  const obtained = await obtainToken({ credentials: { apiKey }, address: '127.0.0.1' })()
  t.like(obtained, { _tag: 'Left', left: { _tag: 'PortFailure', port: 'accessTokens', operation: 'sign' } })
})

test('the settings of the use cases come from the configuration', async (t) => {
  const container = createContainer(
    {
      ...(await config(t)),
      timeZone: 'America/Lima',
      processingConcurrencyLimit: 3,
      mailAttempts: 5,
      mailRetrySeconds: 7,
      mailTimeoutSeconds: 9,
    },
    undefined,
  )
  t.teardown(() => container.unbindAllAsync())
  t.deepEqual(container.get(portIds.settings), {
    timeZone: 'America/Lima',
    defaultCountry: 'ES',
    processingClaimSeconds: 60,
    keptBytesPerDay: 2_147_483_648,
    processingConcurrencyLimit: 3,
    emails: { maxAttempts: 5, firstRetrySeconds: 7, sendSeconds: 9 },
    markets: bundledMarkets,
  })
})
