/** A JSON Schema: the object with which a role answers. A field that isn't required has a default. */
export type AnswerSchema = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}
