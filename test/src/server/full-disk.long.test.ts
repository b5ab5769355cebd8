import { endpoints } from '@account-import/http-contract'
import test from 'ava'
import { setTimeout } from 'node:timers/promises'
import { rawApi } from '../journeys/support/raw-api.js'
import { tokenOf } from '../journeys/support/token-of.js'
import { gasAccount } from '../support/samples.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { startServerProcess } from '../support/server-process.js'
import { smallDiskAvailable, startSmallDisk } from '../servers/index.js'
import { ready } from './support/ready.js'

if (smallDiskAvailable())
  test.serial('the service is not ready soon after a request failed for a full disk', async (t) => {
    t.timeout(120_000)
    const disk = await startSmallDisk(24)
    const database = await openSharedDatabase(`sqlite:${disk.folder}/data.db`)
    const server = await startServerProcess(database.environment)
    t.teardown(async () => {
      await server.stop()
      await database.close()
      await disk.stop()
    })
    const api = rawApi(server.address)
    const token = await tokenOf(api, database.apiKey)
    t.is((await ready(server.address)).status, 200)
    disk.fill()
    let status = 201
    for (let index = 0; status < 500; index += 1)
      ({ status } = await api.post(
        endpoints.stageAccount.path,
        token,
        gasAccount(database.supplier, `A-${index}`),
      ))
    // A check is a second old at most.
    const statuses: number[] = []
    while (statuses.length < 4 && statuses.at(-1) !== 503) {
      statuses.push((await ready(server.address)).status)
      await setTimeout(500)
    }
    t.is(statuses.at(-1), 503)
  })
