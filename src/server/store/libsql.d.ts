/** The types of the optional package do not depend on whether it is installed. */
declare module 'libsql' {
  const Sqlite: new (path: string) => object;
  export default Sqlite;
}
