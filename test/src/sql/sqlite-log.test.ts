import { connectSql } from '@account-import/adapter-sql'
import test from 'ava'
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempFolder } from '../support/temp-folder.js'

/** Opens the database, says how many rows it has, and closes it, as a command does beside a server. */
const program = `
  const { connectSql } = await import(process.argv[1])
  const knex = connectSql(process.argv[2])
  const [{ count }] = await knex('kept').count({ count: '*' })
  await knex.destroy()
  console.log(count)
`

const countedByAnother = async (url: string): Promise<number> => {
  const args = ['--input-type=module', '-e', program, import.meta.resolve('@account-import/adapter-sql'), url]
  return Number((await promisify(execFile)(process.execPath, args)).stdout)
}

test('connections that one process opens beside each other keep their log, whoever else opens and closes the database', async (t) => {
  const file = join(await tempFolder(t), 'test.db')
  const url = `sqlite:${file}`
  const [first, second] = [connectSql(url), connectSql(url)]
  t.teardown(() => Promise.all([first.destroy(), second.destroy()]))
  await first.schema.createTable('kept', (table) => void table.integer('id'))
  await first('kept').insert({ id: 1 })
  await second('kept').insert({ id: 2 })
  const log = statSync(`${file}-wal`).ino
  t.is(await countedByAnother(url), 2)
  t.is(statSync(`${file}-wal`).ino, log, 'the log is another file')
  await first('kept').insert({ id: 3 })
  await second('kept').insert({ id: 4 })
  t.is(await countedByAnother(url), 4)
})
