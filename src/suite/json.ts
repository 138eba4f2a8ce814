/** What a YAML 1.2 or JSON document may hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object: keys in the order they were written. */
export type JsonObject = { readonly [key: string]: Json };
