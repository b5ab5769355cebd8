import type { UseCases } from '@account-import/core'
import { NoSchemaIntrospectionCustomRule, parse } from 'graphql'
import type { Handler } from 'graphql-http'
import { createHandler } from 'graphql-http'
import { depthRule } from './depth-rule.js'
import type { GraphqlContext } from './graphql-context.js'
import { shownError } from './graphql-errors.js'
import { onceRule } from './once-rule.js'
import { graphqlSchema } from './schema.js'

const mostLevels = 5
/** The mutation as the client sends it has 24. */
const mostTokens = 100

/**
 * Runs GraphQL requests. Documents are bounded in size and depth and ask for one token at most; introspection is
 * off in production.
 */
export const graphqlHandler = (
  useCases: Pick<UseCases, 'obtainToken'>,
  production: boolean,
): Handler<undefined, GraphqlContext> =>
  createHandler<undefined, GraphqlContext, GraphqlContext>({
    schema: graphqlSchema(useCases),
    context: ({ context }) => context,
    validationRules: [
      depthRule(mostLevels),
      onceRule('obtainToken'),
      ...(production ? [NoSchemaIntrospectionCustomRule] : []),
    ],
    parse: (source) => parse(source, { maxTokens: mostTokens }),
    formatError: shownError,
  })
