export type { ListRequest, PagesRequest } from './account-import-pages.js'
export { createClient } from './create-client.js'
export type { Client, ClientOptions } from './create-client.js'
export type { ClientCode, Failure, Result, Success } from './result.js'
