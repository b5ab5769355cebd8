import '../children/end-with-parent.js'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ResultSetHeader } from 'mysql2'
import { setting } from '../children/children.js'
import { answerJobs, closedLoop, type LoadJob, type LoadResult } from '../load/jobs.js'
import { bodyTemplates, howManyFit, stamped } from '../workload/bodies.js'
import { names, numberOf, paths } from '../workload/kinds.js'
import { createImportsTable, openPool, upsertImports } from './database.js'

// The floor, written by hand: over HTTP for single requests, straight on the database for the rest.

const httpPool = openPool(setting('BENCH_DATABASE_URL'), Number(setting('BENCH_POOL')))
// More connections than these wait for each other inside the database.
const jobPool = openPool(setting('BENCH_DATABASE_URL'), 16)

/** Stages accounts as they are, as many a statement as is good for the database. */
const runBulkStage = (job: LoadJob): Promise<LoadResult> => {
  const templates = bodyTemplates('stage', job.size)
  const bodyFor = stamped(templates)
  return closedLoop(job, howManyFit(templates, 4_000_000, 500), (_, first, accounts) => {
    const rows = Array.from({ length: accounts }, (_row, at) => first + at)
    const values = rows.flatMap((index) => [names.supplier, numberOf(index), bodyFor(index)])
    return new Promise((resolve, reject) => {
      jobPool.execute(upsertImports(accounts), values, (error) =>
        error === null ? resolve({ statuses: { 201: accounts } }) : reject(error),
      )
    })
  })
}

/** As the service: an account is its staged payload, so creating it marks the import. The number is at random, as the service's are. */
const markCreated =
  "UPDATE floor_imports SET state = 'created', platform_account_number = ? " +
  "WHERE import_supplier = ? AND external_account_number = ? AND state = 'staged'"

const runProcess = (job: LoadJob): Promise<LoadResult> =>
  closedLoop(job, 1, (_, index) => {
    const platformNumber = `A-${randomBytes(6).toString('hex').toUpperCase()}`
    return new Promise((resolve, reject) => {
      jobPool.execute(markCreated, [platformNumber, names.supplier, numberOf(index)], (error) =>
        error === null ? resolve({ statuses: { 201: 1 } }) : reject(error),
      )
    })
  })

answerJobs((job) => (job.verb === 'process' ? runProcess(job) : runBulkStage(job)))

const answer = (response: ServerResponse, status: number, body: Buffer | string): void => {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length }).end(body)
}

type Account = Readonly<{ import_supplier: string; external_account_number: string }>

const upsert = upsertImports(1)

const stage = (account: Account, body: Buffer, response: ServerResponse): void => {
  const { import_supplier, external_account_number } = account
  const values = [import_supplier, external_account_number, body]
  httpPool.execute<ResultSetHeader>(upsert, values, (error, result) => {
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

/** The least that a server can do: it knows no token, no rule and no limit. */
const server = createServer((request, response) =>
  collected(request, (body) => {
    const account = JSON.parse(body.toString()) as Account
    if (request.url === paths.validate) answer(response, 200, body)
    else if (request.url === paths.stage) stage(account, body, response)
    else answer(response, 404, '{}')
  }),
)

await jobPool.promise().query(createImportsTable)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
