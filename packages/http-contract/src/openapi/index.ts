export { accountPayloadSchema } from '../schema/account-payload-schema.js'
export type { JsonSchema } from '../schema/json-schema.js'
export { openApiDocument } from './open-api-document.js'
