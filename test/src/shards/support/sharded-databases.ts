import { connectSql, migrate } from '@account-import/adapter-sql'
import { startSpider, type MariaDb, type Spider } from '../../servers/index.js'
import { textOf } from '../../support/repository.js'

/** Rows of suppliers: every statement on them names the supplier. */
export const shardedTables = [
  'account_imports',
  'account_items',
  'customer_emails',
  'audit_unsealed',
  'open_failures',
] as const

const page = textOf('docs/how-to/run-on-shards.md')

const block = (language: string): string => {
  const [, text] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page) ?? []
  if (text === undefined) throw new Error(`the page has no ${language}`)
  return text
}

/** The settings of the head, as arguments. */
const headSettings = block('ini head')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('['))
  .map((line) => `--${line.replaceAll(' ', '')}`)

/** Whether the statement is an example for all sharded tables. */
const isExample = (statement: string): boolean => statement.includes('ENGINE = SPIDER')

/** The statements of the page, for this number of nodes. */
const statementsFor = (nodes: number): readonly string[] => {
  const partitions = Array.from(
    { length: nodes },
    (_, place) => `PARTITION p${place + 1} COMMENT = 'srv "node${place + 1}"'`,
  )
  return block('sql tables')
    .split(';\n')
    .filter((statement) => statement.trim() !== '')
    .flatMap((statement) =>
      isExample(statement)
        ? shardedTables.map((table) =>
            statement
              .replaceAll('account_imports', table)
              .replace(/\(PARTITION .*\)$/s, `(${partitions.join(', ')})`),
          )
        : [statement],
    )
}

/** Databases of which a Spider has the rows of suppliers on its data nodes, as the page about shards describes it. */
export type ShardedDatabases = Spider &
  Readonly<{
    /** Makes a migrated database; gives its address. */
    createSharded(): Promise<string>
    /** The node with imports, of the latest database, which has one supplier. */
    nodeInUse(): Promise<MariaDb>
  }>

export const startShardedDatabases = async (count = 3): Promise<ShardedDatabases> => {
  const spider = await startSpider(headSettings, count)
  const { head, nodes } = spider
  let latest = ''
  return {
    ...spider,
    async createSharded() {
      latest = await spider.createDatabase()
      for (const server of [head, ...nodes]) {
        const knex = connectSql(server.url(latest))
        try {
          await migrate(knex)
        } finally {
          await knex.destroy()
        }
      }
      for (const statement of statementsFor(count)) await head.query(statement, latest)
      return head.url(latest)
    },
    async nodeInUse() {
      for (const node of nodes)
        if ((await node.query('SELECT 1 FROM account_imports LIMIT 1', latest)).length > 0) return node
      throw new Error('no node has an import')
    },
  }
}
