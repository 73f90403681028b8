import type { z } from 'zod'

/** The part of a route's declaration that the client reads. */
export type ApiRoute = { readonly method: string; readonly path: string; readonly responses: object }

export type CallOptions = { readonly signal?: AbortSignal | undefined }

/** Everything a call to this route takes: what the route declares, and how long to wait for the answer. */
export type RouteInput<Route> = CallOptions & { readonly timeoutMs?: number } & ParamsInput<
    Part<Route, 'params'>
  > &
  QueryInput<RouteQuery<Route>> &
  BodyInput<Part<Route, 'body'>> &
  KeyInput<Part<Route, 'headers'>>

/** A route's query, with the types that the daemon parses it to. Fields with a default are optional. */
export type RouteQuery<Route> =
  Part<Route, 'query'> extends infer Schema extends z.ZodType
    ? {
        readonly [Name in keyof z.input<Schema>]:
          | z.output<Schema>[Name & keyof z.output<Schema>]
          | (undefined extends z.input<Schema>[Name] ? undefined : never)
      }
    : undefined

/** A route's answer, without the envelope. */
export type RouteData<Route> =
  AnswerSchema<Route> extends z.ZodType<{ readonly data: infer Data }> ? Data : never

type Part<Route, Name extends string> = Route extends {
  readonly request: { readonly [Key in Name]: infer Found }
}
  ? Found
  : undefined

type Json<Schema> = { readonly content: { readonly 'application/json': { readonly schema: Schema } } }

type ParamsInput<Schema> = Schema extends z.ZodType
  ? { readonly params: { readonly [Name in keyof z.output<Schema>]: string | number } }
  : unknown

type QueryInput<Query> = Query extends undefined
  ? unknown
  : Partial<Query> extends Query
    ? { readonly query?: Query }
    : { readonly query: Query }

type BodyInput<Body> =
  Body extends Json<infer Schema extends z.ZodType>
    ? Body extends { readonly required: true }
      ? { readonly body: z.input<Schema> }
      : { readonly body?: z.input<Schema> | undefined }
    : unknown

type KeyInput<Headers> =
  Headers extends z.ZodType<{ 'idempotency-key'?: string | undefined }>
    ? { readonly idempotencyKey?: string | undefined }
    : unknown

type AnswerSchema<Route> = Route extends { readonly responses: { readonly 200: Json<infer Schema> } }
  ? Schema
  : Route extends { readonly responses: { readonly 201: Json<infer Schema> } }
    ? Schema
    : never
