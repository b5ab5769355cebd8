import type { SharedDatabase } from '../support/shared-database.js'

type Knex = SharedDatabase['knex']

/** Seconds in which the first and the last tenth of a supplier's accounts were created; there are so many. */
export const tenths = async (
  knex: Knex,
  supplier: string,
  count: number,
): Promise<readonly [number, number]> => {
  const createdAs = async (place: number): Promise<number> => {
    const row = (await knex('accounts')
      .where('import_supplier', supplier)
      .orderBy('created_at')
      .offset(place)
      .first('created_at')) as Readonly<{ created_at: string | Date }> | undefined
    return Date.parse(`${String(row?.created_at).replace(' ', 'T')}Z`) / 1000
  }
  const tenth = Math.floor(count / 10)
  const [begin, first] = [await createdAs(0), await createdAs(tenth)]
  const [last, end] = [await createdAs(count - 1 - tenth), await createdAs(count - 1)]
  return [first - begin, end - last]
}

/** What the tables of a MySQL or MariaDB take on disk. */
export const bytesOnDisk = async (knex: Knex): Promise<number> => {
  const [rows] = (await knex.raw(
    "SELECT SUM(file_size) AS bytes FROM information_schema.innodb_sys_tablespaces WHERE name LIKE CONCAT(DATABASE(), '/%')",
  )) as [readonly Readonly<{ bytes: number | string }>[]]
  return Number(rows[0]?.bytes)
}
