export { accountPayloadSchema } from '../schema/account-payload-schema.js'
export { openApiDocument } from './open-api-document.js'
