declare const brand: unique symbol

/** A plain value that the compiler tells apart from others of its kind. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name }
