/// The people, friendships and pins of `pinfold demo`: six people around Saint Paul, Minnesota.
///
/// The places are real, the people and what they say are invented. Every time is a number of seconds before the moment
/// at which the demo is created, so that the newest pin is always hours old. Someone is a friend of most, someone has
/// few friends, requests wait in both directions and one block stands, so that each rule of visibility can be seen.
package struct DemoWorld: Sendable {
    package let people: [Person]
    package let friendships: [Friendship]
    package let friendRequests: [FriendRequest]
    package let blocks: [Block]
    package let pins: [Pin]

    /// An account, without its password: that one is random for each data folder.
    package struct Person: Sendable {
        package let username: String
        package let displayName: String
        package let bio: String
    }

    /// Two people, by username, and when they became friends.
    package struct Friendship: Sendable {
        package let first: String
        package let second: String
        package let secondsAgo: Int64
    }

    /// A request that still waits for its answer, by username.
    package struct FriendRequest: Sendable {
        package let sender: String
        package let addressee: String
        package let secondsAgo: Int64
    }

    /// Who blocks whom, by username.
    package struct Block: Sendable {
        package let blocker: String
        package let blocked: String
        package let secondsAgo: Int64
    }

    /// A pin at a WGS 84 position in degrees; `category` and `audience` are the words of the API.
    package struct Pin: Sendable {
        package let owner: String
        package let name: String
        package let latitude: Double
        package let longitude: Double
        package let category: String
        package let rating: Int?
        package let audience: String
        package let comment: String?
        package let secondsAgo: Int64
    }
}

extension DemoWorld {
    package static let saintPaul = DemoWorld(
        people: [
            Person(
                username: "ingrid", displayName: "Ingrid Halvorsen",
                bio: "Choir alto, winter cyclist, will defend hot dish in any court."),
            Person(
                username: "pahoua.v", displayName: "Pahoua Vang",
                bio: "East Side born and raised. I know which stall has the good papaya salad."),
            Person(
                username: "amina.w", displayName: "أمينة ورسمة",
                bio: "Librarian. Tea first, then the museum, then more tea."),
            Person(
                username: "teddy_k", displayName: "Teddy Kowalczyk",
                bio: "Loads trucks for bands. Rates every place by its fries."),
            Person(
                username: "marisol", displayName: "Marisol Ortega-Lind",
                bio: "Field biologist with a stroller."),
            Person(
                username: "dev", displayName: "Dev Raghunathan",
                bio: "New in town, walking every bridge over the river."),
        ],
        friendships: [
            Friendship(first: "ingrid", second: "teddy_k", secondsAgo: days(171)),
            Friendship(first: "ingrid", second: "amina.w", secondsAgo: days(158)),
            Friendship(first: "ingrid", second: "marisol", secondsAgo: days(149)),
            Friendship(first: "pahoua.v", second: "amina.w", secondsAgo: days(120)),
            Friendship(first: "pahoua.v", second: "teddy_k", secondsAgo: days(88)),
            Friendship(first: "marisol", second: "dev", secondsAgo: days(34)),
        ],
        friendRequests: [
            FriendRequest(sender: "pahoua.v", addressee: "ingrid", secondsAgo: hours(20)),
            FriendRequest(sender: "ingrid", addressee: "dev", secondsAgo: days(3)),
            FriendRequest(sender: "amina.w", addressee: "marisol", secondsAgo: days(6)),
            FriendRequest(sender: "dev", addressee: "amina.w", secondsAgo: days(1)),
        ],
        blocks: [
            Block(blocker: "teddy_k", blocked: "dev", secondsAgo: days(12))
        ],
        pins: ingridsPins + pahouasPins + aminasPins + teddysPins + marisolsPins + devsPins)

    private static func hours(_ count: Int64) -> Int64 { count * 3_600 }

    private static func days(_ count: Int64) -> Int64 { count * 86_400 }

    private static let ingridsPins = [
        Pin(
            owner: "ingrid", name: "Minnesota State Capitol", latitude: 44.9551, longitude: -93.1022,
            category: "culture", rating: 5, audience: "friends",
            comment: "Take the free tour that goes up to the golden horses. You stand on the roof. On the roof!",
            secondsAgo: hours(5)),
        Pin(
            owner: "ingrid", name: "Cathedral of Saint Paul", latitude: 44.9469, longitude: -93.1089,
            category: "culture", rating: 5, audience: "friends",
            comment: "We sang here in December. The echo finishes your phrase for you.", secondsAgo: days(151)),
        Pin(
            owner: "ingrid", name: "Fitzgerald Theater", latitude: 44.9489, longitude: -93.0975,
            category: "culture", rating: 4, audience: "friends",
            comment: "Second balcony is steep but you hear everything.", secondsAgo: days(97)),
        Pin(
            owner: "ingrid", name: "Victoria Crossing, Grand Avenue", latitude: 44.9399, longitude: -93.1364,
            category: "shopping", rating: 4, audience: "friends",
            comment: "Start here and walk west until your bag is full or your feet give up.", secondsAgo: days(62)),
        Pin(
            owner: "ingrid", name: "Landmark Center", latitude: 44.9456, longitude: -93.0972,
            category: "culture", rating: 4, audience: "friends",
            comment: "Go in just for the courtyard. Pretend you have an appointment.", secondsAgo: days(133)),
        Pin(
            owner: "ingrid", name: "Smith Avenue High Bridge", latitude: 44.9331, longitude: -93.1044,
            category: "nature", rating: 3, audience: "friends",
            comment: "Best skyline in town, worst headwind in town.", secondsAgo: days(18)),
        Pin(
            owner: "ingrid", name: "Rice Park", latitude: 44.9449, longitude: -93.0977,
            category: "nature", rating: nil, audience: "private",
            comment: "The bench by the fountain. Ask M. here?", secondsAgo: days(9)),
        Pin(
            owner: "ingrid", name: "Stillwater Lift Bridge", latitude: 45.0564, longitude: -92.8022,
            category: "other", rating: 4, audience: "friends",
            comment: "The loop over the new crossing and back on this one is a perfect Saturday ride.",
            secondsAgo: days(41)),
    ]

    private static let pahouasPins = [
        Pin(
            owner: "pahoua.v", name: "Hmongtown Marketplace", latitude: 44.9607, longitude: -93.1090,
            category: "food", rating: 5, audience: "friends",
            comment: "Come hungry, bring cash. Papaya salad made to order: say how many chilies and mean it.",
            secondsAgo: days(2)),
        Pin(
            owner: "pahoua.v", name: "Indian Mounds Regional Park", latitude: 44.9456, longitude: -93.0563,
            category: "nature", rating: 5, audience: "friends",
            comment: "A burial ground first and a viewpoint second. Walk quietly, read the signs.",
            secondsAgo: days(110)),
        Pin(
            owner: "pahoua.v", name: "Lake Phalen", latitude: 44.9872, longitude: -93.0545,
            category: "nature", rating: 4, audience: "friends",
            comment: "Dragon boats in summer. My uncles will be the loudest.", secondsAgo: days(74)),
        Pin(
            owner: "pahoua.v", name: "Swede Hollow Park", latitude: 44.9597, longitude: -93.0742,
            category: "nature", rating: 4, audience: "friends",
            comment: "A whole valley hiding under the neighborhood.", secondsAgo: days(57)),
        Pin(
            owner: "pahoua.v", name: "Saint Paul Farmers’ Market", latitude: 44.9503, longitude: -93.0855,
            category: "shopping", rating: 5, audience: "friends",
            comment: "Before 8 or not at all. Auntie is the third stall on the left, tell her I sent you.",
            secondsAgo: days(29)),
        Pin(
            owner: "pahoua.v", name: "Hamline University", latitude: 44.9659, longitude: -93.1650,
            category: "education", rating: 4, audience: "friends",
            comment: "Four years of night classes. I still park in the same spot.", secondsAgo: days(140)),
        Pin(
            owner: "pahoua.v", name: "Union Depot", latitude: 44.9479, longitude: -93.0864,
            category: "other", rating: nil, audience: "private", comment: "Pick up Mai, 22:10 train, platform side.",
            secondsAgo: days(4)),
    ]

    private static let aminasPins = [
        Pin(
            owner: "amina.w", name: "George Latimer Central Library", latitude: 44.9442, longitude: -93.0973,
            category: "education", rating: 5, audience: "friends",
            comment: "Not neutral, I work here. But look at that ceiling.", secondsAgo: days(130)),
        Pin(
            owner: "amina.w", name: "Midtown Global Market", latitude: 44.9489, longitude: -93.2611,
            category: "food", rating: 5, audience: "friends",
            comment: "أفضل سمبوسة في المدينة، والشاي على حسابي.\nSambusas at the corner stall. Tea is on me.",
            secondsAgo: days(11)),
        Pin(
            owner: "amina.w", name: "Minneapolis Institute of Art", latitude: 44.9585, longitude: -93.2742,
            category: "culture", rating: 5, audience: "friends",
            comment: "Free, every day. I go for one room at a time.", secondsAgo: days(82)),
        Pin(
            owner: "amina.w", name: "Minnesota History Center", latitude: 44.9498, longitude: -93.1055,
            category: "culture", rating: 4, audience: "friends",
            comment: "The reading room upstairs is the quietest place between two freeways.", secondsAgo: days(101)),
        Pin(
            owner: "amina.w", name: "Mall of America", latitude: 44.8549, longitude: -93.2422,
            category: "shopping", rating: 2, audience: "friends",
            comment: "My nieces: five stars. Me: there is a bench on level 3 near nothing at all.", secondsAgo: days(47)
        ),
        Pin(
            owner: "amina.w", name: "Marjorie McNeely Conservatory", latitude: 44.9819, longitude: -93.1506,
            category: "nature", rating: 5, audience: "friends",
            comment: "February, minus twenty outside, and you take off your coat among ferns.", secondsAgo: days(90)),
        Pin(
            owner: "amina.w", name: "حديقة المنحوتات", latitude: 44.9703, longitude: -93.2889,
            category: "culture", rating: 4, audience: "friends",
            comment: "ملعقة وكرزة. لا تحتاج إلى شرح.", secondsAgo: days(23)),
        Pin(
            owner: "amina.w", name: "Bde Maka Ska, north shore", latitude: 44.9487, longitude: -93.3095,
            category: "nature", rating: nil, audience: "private", comment: "Call mother from here. Signal is good.",
            secondsAgo: days(15)),
    ]

    private static let teddysPins = [
        Pin(
            owner: "teddy_k", name: "Mickey’s Diner", latitude: 44.9476, longitude: -93.0985,
            category: "food", rating: 5, audience: "friends",
            comment: "Sit at the counter. Hash browns, crispy. This is not a negotiation.", secondsAgo: days(1)),
        Pin(
            owner: "teddy_k", name: "First Avenue", latitude: 44.9787, longitude: -93.2760,
            category: "nightlife", rating: 5, audience: "friends",
            comment: "Loading dock is a nightmare, the room is a miracle.", secondsAgo: days(66)),
        Pin(
            owner: "teddy_k", name: "Palace Theatre", latitude: 44.9469, longitude: -93.0968,
            category: "nightlife", rating: 4, audience: "friends",
            comment: "They left the plaster cracked on purpose. Sounds big anyway.", secondsAgo: days(52)),
        Pin(
            owner: "teddy_k", name: "Turf Club", latitude: 44.9557, longitude: -93.1672,
            category: "nightlife", rating: 4, audience: "friends",
            comment: "Small, loud, and there is another bar under the bar.", secondsAgo: days(7)),
        Pin(
            owner: "teddy_k", name: "Xcel Energy Center", latitude: 44.9448, longitude: -93.1010,
            category: "nightlife", rating: 3, audience: "friends",
            comment: "Whatever the sign says this year. Hockey good, fries 3/5.", secondsAgo: days(37)),
        Pin(
            owner: "teddy_k", name: "Cossetta", latitude: 44.9430, longitude: -93.1041,
            category: "food", rating: 4, audience: "friends", comment: "The slice is bigger than the plate.",
            secondsAgo: days(84)),
        Pin(
            owner: "teddy_k", name: "Minnesota State Fairgrounds", latitude: 44.9807, longitude: -93.1707,
            category: "food", rating: 5, audience: "friends",
            comment: "Twelve days a year the center of the world. Cookies by the bucket.", secondsAgo: days(115)),
        Pin(
            owner: "teddy_k", name: "Allianz Field", latitude: 44.9528, longitude: -93.1651,
            category: "other", rating: 4, audience: "friends",
            comment: "Stand in the end with the drums. Your ears forgive you by Tuesday.", secondsAgo: days(26)),
        Pin(
            owner: "teddy_k", name: "CHS Field", latitude: 44.9507, longitude: -93.0842,
            category: "other", rating: nil, audience: "private",
            comment: "Spare key with Lou at the north gate.", secondsAgo: days(33)),
    ]

    private static let marisolsPins = [
        Pin(
            owner: "marisol", name: "Como Park Zoo", latitude: 44.9817, longitude: -93.1531,
            category: "nature", rating: 4, audience: "friends",
            comment: "Get there when it opens: the gorillas are up, the school buses are not.", secondsAgo: days(5)),
        Pin(
            owner: "marisol", name: "Science Museum of Minnesota", latitude: 44.9425, longitude: -93.0986,
            category: "education", rating: 5, audience: "friends",
            comment: "Triceratops, then a nap in the stroller, then the river windows for me.", secondsAgo: days(69)),
        Pin(
            owner: "marisol", name: "Minnehaha Falls", latitude: 44.9153, longitude: -93.2110,
            category: "nature", rating: 5, audience: "friends",
            comment: "After a thaw it roars. In January the whole thing stands still and glows blue.",
            secondsAgo: days(144)),
        Pin(
            owner: "marisol", name: "Hidden Falls Regional Park", latitude: 44.9063, longitude: -93.1918,
            category: "nature", rating: 4, audience: "friends",
            comment: "Warblers in the first week of May, mosquitoes in every week after.", secondsAgo: days(79)),
        Pin(
            owner: "marisol", name: "Harriet Island", latitude: 44.9364, longitude: -93.0959,
            category: "nature", rating: 3, audience: "friends",
            comment: "Flat, paved, good for wheels of any size. Floods most springs.", secondsAgo: days(44)),
        Pin(
            owner: "marisol", name: "University of St. Thomas", latitude: 44.9424, longitude: -93.1896,
            category: "education", rating: nil, audience: "friends",
            comment: "Guest lecture on mussels. Yes, people came.", secondsAgo: days(21)),
        Pin(
            owner: "marisol", name: "Duluth Aerial Lift Bridge", latitude: 46.7790, longitude: -92.0929,
            category: "other", rating: 5, audience: "friends",
            comment: "Two and a half hours north. Wait for a ship, it is worth the cold hands.", secondsAgo: days(106)),
        Pin(
            owner: "marisol", name: "Historic Fort Snelling", latitude: 44.8928, longitude: -93.1806,
            category: "education", rating: 4, audience: "private",
            comment: "Permit for the bluff survey expires in the fall.", secondsAgo: days(13)),
    ]

    private static let devsPins = [
        Pin(
            owner: "dev", name: "Stone Arch Bridge", latitude: 44.9808, longitude: -93.2536,
            category: "nature", rating: 5, audience: "friends",
            comment: "Bridge no. 1 on the list and it may have ruined the others.", secondsAgo: days(31)),
        Pin(
            owner: "dev", name: "Guthrie Theater", latitude: 44.9783, longitude: -93.2554,
            category: "culture", rating: 5, audience: "friends",
            comment: "You do not need a ticket to walk out on the endless bridge.", secondsAgo: days(28)),
        Pin(
            owner: "dev", name: "Mill City Museum", latitude: 44.9787, longitude: -93.2571,
            category: "education", rating: 4, audience: "friends",
            comment: "A museum inside a burnt-out flour mill. The elevator is the show.", secondsAgo: days(25)),
        Pin(
            owner: "dev", name: "Macalester College", latitude: 44.9379, longitude: -93.1691,
            category: "education", rating: nil, audience: "friends", comment: "There are bagpipes. I was warned late.",
            secondsAgo: days(17)),
        Pin(
            owner: "dev", name: "Surly Brewing", latitude: 44.9733, longitude: -93.2098,
            category: "nightlife", rating: 4, audience: "friends",
            comment: "Long tables outside, somebody’s dog on your foot.", secondsAgo: days(8)),
        Pin(
            owner: "dev", name: "Weisman Art Museum", latitude: 44.9731, longitude: -93.2371,
            category: "culture", rating: 1, audience: "friends",
            comment: "Came on a Monday. It is closed on Mondays. My own fault, one star for me.", secondsAgo: days(19)),
    ]
}
