// Writes to stdout the types of a client for the OpenAPI document, as openapi-typescript makes them.
import { bundledMarkets } from '@account-import/core'
import { openApiDocument } from '@account-import/http-contract/openapi'
import openapiTypescript, { astToString } from 'openapi-typescript'

console.log(astToString(await openapiTypescript(JSON.stringify(openApiDocument('', bundledMarkets)))))
