export { accountPayloadSchema } from '../schema/codec-schema.js'
export type { JsonSchema } from '../schema/codec-schema.js'
export { openApiDocument } from './open-api-document.js'
