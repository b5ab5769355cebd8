import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Pool, ResultSetHeader } from 'mysql2'
import { paths } from '../workload/verbs.js'
import { upsertImports } from './imports-table.js'

type Account = Readonly<{ import_supplier: string; external_account_number: string }>

const upsert = upsertImports(1)

const answer = (response: ServerResponse, status: number, body: Buffer | string): void => {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

const stage = (pool: Pool, account: Account, body: Buffer, response: ServerResponse): void => {
  const { import_supplier, external_account_number } = account
  const values = [import_supplier, external_account_number, body]
  pool.execute<ResultSetHeader>(upsert, values, (error, result) => {
    if (error !== null) answer(response, 500, JSON.stringify({ detail: error.code }))
    else
      answer(
        response,
        result.affectedRows === 1 ? 201 : 200,
        JSON.stringify({ import_supplier, external_account_number }),
      )
  })
}

const collected = (request: IncomingMessage, then: (body: Buffer) => void): void => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => then(Buffer.concat(chunks)))
}

/**
 * The least that a server can do: it parses the body and answers it, or stores it by one prepared statement. It knows
 * no token, no rule and no limit.
 */
export const floorServer = (pool: Pool): Server =>
  createServer((request, response) =>
    collected(request, (body) => {
      const account = JSON.parse(body.toString()) as Account
      if (request.url === paths.validate) answer(response, 200, body)
      else if (request.url === paths.stage) stage(pool, account, body, response)
      else answer(response, 404, '{}')
    }),
  )
