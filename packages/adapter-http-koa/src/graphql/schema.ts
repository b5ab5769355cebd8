import type { UseCases } from '@account-import/core'
import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { obtainTokenField } from './obtain-token-field.js'

/** GraphQL needs a query type; everything else that can be asked is asked by the data-import API. */
const query = new GraphQLObjectType({
  name: 'Query',
  fields: { service: { type: new GraphQLNonNull(GraphQLString), resolve: () => 'account-import' } },
})

export const graphqlSchema = (useCases: Pick<UseCases, 'obtainToken'>): GraphQLSchema =>
  new GraphQLSchema({
    query,
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: { obtainToken: obtainTokenField(useCases) },
    }),
  })
