import { createConnection } from 'mysql2/promise'

/** Gives the room of a database back that is not needed any more. */
export const dropDatabase = async (url: string): Promise<void> => {
  const connection = await createConnection(url)
  await connection.query(`DROP DATABASE ${new URL(url).pathname.slice(1)}`)
  await connection.end()
}
