import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineStore

@Suite struct PosterStoreTests {
  static func poster(
    _ id: String,
    _ title: String? = nil,
    artist: String? = nil,
    categories: [String] = [],
    text: String? = nil
  ) -> Poster {
    Poster(
      id: id,
      title: title ?? id,
      artist: artist,
      text: text,
      categories: categories,
      sizes: [PosterSize(name: "A3", width: 297, height: 420, price: PosterPrice(amount: "24.90", currency: "EUR"))],
      pictures: [PosterPicture(url: "/assets/00", width: 240, height: 340)]
    )
  }

  static func pages(_ stores: Stores, _ query: PosterQuery) async throws -> [[String]] {
    var query = query
    var pages: [[String]] = []
    repeat {
      let page = try await stores.posters.posters(query)
      pages.append(page.posters.map(\.id))
      query.after = page.next
    } while query.after != nil && pages.count < 100
    return pages
  }

  @Test(arguments: Backend.all) func `a poster comes back as it was saved, also after closing`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    var poster = Self.poster("one", "Zwölf «Brücken» 🌉", artist: "O'Neill", categories: ["A;B", "\"q\""], text: "x\ny")
    #expect(try await stores.posters.savePoster(poster) == .added)
    #expect(try await stores.posters.savePoster(poster) == .unchanged)
    poster.title = "Zwölf Brücken"
    #expect(try await stores.posters.savePoster(poster) == .changed)
    try await store.reopen()
    let again = store.stores
    #expect(try await again.posters.poster("one") == poster)
    #expect(try await again.posters.removePoster("one"))
    #expect(try await !again.posters.removePoster("one"))
    #expect(try await again.posters.poster("one") == nil)
    #expect(try await again.posters.posters(PosterQuery()).total == 0)
    #expect(try await again.posters.posterCategories().isEmpty)
    #expect(try await again.posters.posters(PosterQuery(words: "Brücken")).total == 0)
  }

  @Test(arguments: Backend.all) func `authors have posters up to a limit, and a change needs the latest revision`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let olga = try #require(try await stores.accounts.addAccount(name: "olga", role: .author, password: "-")).id
    #expect(try await stores.posters.savePoster(Self.poster("imported")) == .added)
    guard case .added(let first) = try await stores.posters.addPoster(Self.poster("own"), owner: olga, limit: 2) else {
      return #expect(Bool(false), "not added")
    }
    #expect(try await stores.posters.addPoster(Self.poster("imported"), owner: olga, limit: 2) == .taken)
    _ = try await stores.posters.addPoster(Self.poster("second"), owner: olga, limit: 2)
    #expect(try await stores.posters.addPoster(Self.poster("third"), owner: olga, limit: 2) == .full(2))
    await #expect(throws: StoreError.self) {
      try await stores.posters.addPoster(Self.poster("../x"), owner: olga, limit: 9)
    }

    let second = try #require(try await stores.posters.replacePoster(Self.poster("own", "New"), revision: first))
    #expect(second > first)
    #expect(try await stores.posters.replacePoster(Self.poster("own", "Late"), revision: first) == nil)
    #expect(try await stores.posters.replacePoster(Self.poster("none"), revision: 1) == nil)
    let own = try #require(try await stores.posters.ownedPoster("own"))
    #expect(own.poster.title == "New" && own.owner == olga && own.revision == second)
    // An import changes the poster, not whose it is; and makes what an author has open stale.
    #expect(try await stores.posters.savePoster(Self.poster("own", "Imported")) == .changed)
    #expect(try await stores.posters.ownedPoster("own")?.owner == olga)
    #expect(try await stores.posters.replacePoster(Self.poster("own", "Late"), revision: second) == nil)
    #expect(try await stores.posters.ownedPosters(of: olga).map(\.poster.id) == ["own", "second"])
    #expect(try await stores.posters.ownedPosters(of: nil).map(\.poster.id) == ["own", "second", "imported"])
    #expect(try await stores.posters.posters(PosterQuery(words: "Imported")).posters.map(\.id) == ["own", "imported"])
  }

  @Test(arguments: Backend.all, PosterOrder.allCases)
  func `pages hold everything once, in every order and for every length`(
    backend: Backend,
    order: PosterOrder
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    var random = SplitMix64(seed: 11)
    var titles: [String: String] = [:]
    for number in 0..<23 {
      let title = ["Äpfel", "apfel", "Zebra", "ähnlich", "Über", "ubermut"].randomElement(using: &random) ?? ""
      titles["p\(number)"] = title
      _ = try await stores.posters.savePoster(Self.poster("p\(number)", title + " wort"))
    }
    for limit in [1, 4, 22, 23, 24] {
      let pages = try await Self.pages(
        stores,
        PosterQuery(words: order == .relevance ? "wort" : nil, order: order, limit: limit)
      )
      let all = pages.flatMap { $0 }
      #expect(Set(all) == Set(titles.keys) && all.count == 23, "\(order) by \(limit)")
      #expect(pages.dropLast().allSatisfy { $0.count == limit })
      if order == .newest { #expect(all == (0..<23).reversed().map { "p\($0)" }) }
      if order == .title {
        let keys = all.map { PosterText.key(titles[$0] ?? "") }
        #expect(keys == keys.sorted())
      }
    }
  }

  @Test(arguments: Backend.all) func `a page neither repeats nor leaves out when posters come and go between`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    for number in 0..<10 { _ = try await stores.posters.savePoster(Self.poster("p\(number)")) }
    let first = try await stores.posters.posters(PosterQuery(limit: 4))
    _ = try await stores.posters.savePoster(Self.poster("late"))
    _ = try await stores.posters.removePoster("p6")
    let second = try await stores.posters.posters(PosterQuery(limit: 4, after: first.next))
    #expect(first.posters.map(\.id) == ["p9", "p8", "p7", "p6"])
    #expect(second.posters.map(\.id) == ["p5", "p4", "p3", "p2"])
  }

  @Test(arguments: Backend.all)
  func `words are found without case and accents, by their beginnings, and never as operators`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    _ = try await stores.posters.savePoster(
      Self.poster("bridge", "Zwölf Brücken", artist: "Mara Lind", categories: ["Stadt"])
    )
    _ = try await stores.posters.savePoster(Self.poster("other", "Nothing", text: "mentions brucken once"))
    for (words, ids) in [
      ("brucken", ["bridge", "other"]), ("BRÜCK", ["bridge", "other"]), ("zwolf mara", ["bridge"]),
      ("stadt", ["bridge"]),
      ("mara OR nothing", []), ("\"zwölf\" *", ["bridge"]), ("title:zwölf", []), ("NEAR(", []), ("-", []),
      ("   ", ["other", "bridge"]),
      ("xyz", []),
    ] as [(String, [String])] {
      let found = try await stores.posters.posters(PosterQuery(words: words, order: .relevance))
      #expect(found.posters.map(\.id) == ids, "\(words)")
      #expect(found.total == ids.count)
    }
  }

  @Test(arguments: Backend.all) func `category and artist narrow, similar ones are the closest first`(
    backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    let one = Self.poster("one", artist: "A", categories: ["x", "y"])
    for poster in [
      one, Self.poster("two", artist: "A", categories: ["x"]),
      Self.poster("three", artist: "B", categories: ["y", "x"]),
      Self.poster("four", artist: "C", categories: ["z"]), Self.poster("five", categories: ["y"]),
    ] { _ = try await stores.posters.savePoster(poster) }
    #expect(
      try await stores.posters.posters(PosterQuery(category: "x", order: .title)).posters.map(\.id) == [
        "one", "three", "two",
      ]
    )
    #expect(try await stores.posters.posters(PosterQuery(category: "x", artist: "B")).posters.map(\.id) == ["three"])
    #expect(try await stores.posters.posters(PosterQuery(category: "X")).total == 0)
    #expect(
      try await stores.posters.posterCategories() == [
        PosterCategory(name: "x", count: 3), PosterCategory(name: "y", count: 3), PosterCategory(name: "z", count: 1),
      ]
    )
    #expect(try await stores.posters.posters(similarTo: one, limit: 8).map(\.id) == ["two", "three", "five"])
    #expect(try await stores.posters.posters(withIDs: ["four", "none", "one"]).map(\.id) == ["four", "one"])
  }

  @Test(
    arguments: Backend.all,
    ["", "x", "n~1", "n~a~p1", "t~zz~p1", "t~6~p1", "r~nan~p1", "r~1.5~p1", "n~1~../p", "n~1~p1~x"]
  )
  func `a cursor that is none of this order is refused`(backend: Backend, cursor: String) async throws {
    let store = try await TestStore(backend)
    let stores = store.stores
    await #expect(throws: PosterStoreError.badCursor) {
      try await stores.posters.posters(PosterQuery(order: .newest, after: cursor))
    }
  }

  @Test func `amounts of money are digits and a currency`() {
    for (amount, currency) in [("0", "EUR"), ("24.90", "SEK"), ("123456789.999", "BHD")] {
      #expect(PosterPrice(amount: amount, currency: currency) != nil)
    }
    for (amount, currency) in [
      ("", "EUR"), ("1.", "EUR"), (".5", "EUR"), ("1,5", "EUR"), ("-1", "EUR"), ("1e3", "EUR"), ("1234567890", "EUR"),
      ("1", "eur"), ("1", "EURO"), ("1", "€"), ("1.2345", "EUR"), ("١", "EUR"),
    ] {
      #expect(PosterPrice(amount: amount, currency: currency) == nil, "\(amount) \(currency)")
    }
  }
}
