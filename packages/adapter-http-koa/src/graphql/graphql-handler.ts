import type { UseCases } from '@account-import/core'
import { execute, NoSchemaIntrospectionCustomRule, parse, validate } from 'graphql'
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
 * Runs GraphQL requests. Documents are bounded in size and depth and ask for one token at most; what the
 * schema has is told, by introspection and by suggestions in errors, only where that is asked for.
 */
export const graphqlHandler = (
  useCases: Pick<UseCases, 'obtainToken'>,
  introspection: boolean,
): Handler<undefined, GraphqlContext> =>
  createHandler<undefined, GraphqlContext, GraphqlContext>({
    schema: graphqlSchema(useCases),
    context: ({ context }) => context,
    validationRules: [
      depthRule(mostLevels),
      onceRule('obtainToken'),
      ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
    ],
    validate: (schema, document, rules, options, types) =>
      validate(schema, document, rules, { ...options, hideSuggestions: !introspection }, types),
    execute: (args) => execute({ ...args, hideSuggestions: !introspection }),
    parse: (source) => parse(source, { maxTokens: mostTokens }),
    formatError: shownError,
  })
