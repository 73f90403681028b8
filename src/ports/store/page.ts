/** A page of a list, newest first; `cursor` is the id after which it begins. */
export type PageRequest = { readonly limit: number; readonly cursor?: string }
