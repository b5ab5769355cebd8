import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { connectSql } from '@account-import/adapter-sql'
import { openService, readConfig } from '@account-import/server'
import { tempFolder } from '../support/temp-folder.js'

test('work that the database asks to be run again is told to the log, and succeeds once it can', async (t) => {
  const dataDir = await tempFolder(t)
  const url = `sqlite:${join(dataDir, 'x.sqlite')}`
  const read = readConfig({ DATABASE_URL: url }, 'operate')
  if (read._tag === 'Left') throw new Error('the configuration of the test is wrong')
  const told: string[] = []
  const service = await openService(
    { ...read.right, dataDir },
    { onRetry: ({ reason, attempt }) => told.push(`${reason} ${attempt}`) },
  )
  t.teardown(() => service.close())
  const otherProcess = connectSql(url)
  t.teardown(() => otherProcess.destroy())
  const writing = await otherProcess.transaction()
  await writing('operations_teams').insert({ name: 'another' })
  const creating = service.useCases.operator.createTeam('ours')()
  await setTimeout(300)
  await writing.commit()
  t.deepEqual(await creating, { _tag: 'Right', right: { name: 'ours' } })
  t.is(told[0], 'busy 1')
})
