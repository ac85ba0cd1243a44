/// Searches with their right answers: facts from GeoNames and general geography.
enum PlaceSearchCases {
    /// Query, `near`, `lang`, the ids of which one must come first, and the kind. `\\s` is a space, `\\0` a NUL. `ANY` must
    /// be answered with a list or 400, `EMPTY` with no items, `BLANK` with no items or 400.
    static let table = #"""
        london			2643743	exact
        paris			2988507	exact
        Tokyo			1850147	exact
        Buenos Aires		es	3435910	exact
        reykjavik			3413829	exact
        Saint Paul			5045360	exact
        Minneapolis			5037649	exact
        ulaanbaatar			2028462	exact
        Hobart			2163355	exact
        Antananarivo			1070940	exact
        saint pa			5045360	prefix
        new yor			5128581	prefix
        münc		de	2867714	prefix
        johann			993800	prefix
        los ang			5368361	prefix
        kuala lu			1735161	prefix
        philad			4560349	prefix
        ho chi mi			1566083	prefix
        san fran			5391959	prefix
        st peters			498817|4171563|4407237	prefix
        barcelna			3128760	typo
        pheonix			5308655	typo
        edinbrugh			2650225	typo
        amsterdm			2759794	typo
        stokholm			2673730	typo
        budapset			3054643	typo
        alburquerque			5454711	typo
        melborne			2158177	typo
        johanesburg			993800	typo
        mineapolis			5037649	typo
        reykjavick			3413829	typo
        lisbonn			2267057	typo
        sanfrancisco			5391959	typo
        los angelos			5368361	typo
        hiroshmia			1862415	typo
        birmigham			2655603	typo
        massachusets boston			4930956	typo
        zurich			2657896	diacritics
        İstanbul		tr	745044	diacritics
        wroclaw			3081368	diacritics
        koln			2886242	diacritics
        koeln			2886242	diacritics
        dusseldorf			2934246	diacritics
        duesseldorf		de	2934246	diacritics
        brasilia			3469058	diacritics
        orebro			2686657	diacritics
        gdansk			3099434	diacritics
        da nang			1583992	diacritics
        iasi			675810	diacritics
        chisinau			618426	diacritics
        Москва		ru	524901	script
        القاهرة		ar	360630	script
        ירושלים		he	281184	script
        Мюнхен		ru	2867714	script
        北京		zh	1816670	script
        上海		zh	1796236	script
        香港		zh	1819729	script
        ΑΘΗΝΑ		el	264371	script
        Київ		uk	703448	script
        दिल्ली		hi	1273294	script
        თბილისი		ka	611717	script
        부산		ko	1838524	script
        ニューヨーク		ja	5128581	script
        巴黎		zh	2988507	script
        Munich			2867714	exonym
        Prague			3067696	exonym
        Warsaw			756135	exonym
        Saigon			1566083	exonym
        Vienna			2761369	exonym
        Den Haag		nl	2747373	exonym
        Genf		de	2660646	exonym
        Praha		cs	3067696	exonym
        Nueva York		es	5128581	exonym
        Rangoon			1298824	exonym
        Danzig		de	3099434	exonym
        paris texas			4717560	qualified
        paris, tx			4717560	qualified
        springfield il			4250542	qualified
        springfield, massachusetts			4951788	qualified
        london ontario			6058560	qualified
        portland maine			4975802	qualified
        saint paul mn			5045360	qualified
        athens, greece			264371	qualified
        vancouver wa			5814616	qualified
        valencia spain			2509954	qualified
        san jose ca			5392171	qualified
        hyderabad pakistan			1176734	qualified
        wellington nz			2179537	qualified
        newcastle australia			2155472	qualified
        st paul			5045360	abbrev
        st. louis			4407066	abbrev
        st. gallen		de	2658822	abbrev
        mt pleasant sc			4588165	abbrev
        st albans			2638867	abbrev
        dc washington			4140963	abbrev
        cdmx		es	3530597	abbrev
        springfield	42.10,-72.59		4951788	bias
        springfield	39.92,-83.81		4525353	bias
        newcastle	55.0,-1.6		2641673	bias
        portland	45.5,-122.6		5746545	bias
        london	42.98,-81.25		6058560	bias
        birmingham	33.5,-86.8		4049979	bias
        richmond	37.5,-77.4		4781708	bias
        vancouver	45.63,-122.66		5814616	bias
        valencia	10.2,-68.0		3625549	bias
        san jose	9.9,-84.1		3621849	bias
        paris	33.66,-95.55		4717560	bias
        st johns	47.5,-52.7		6324733	variant
        st john's antigua			3576022	variant
        xi an			1790630	variant
        xian			1790630	variant
        xi'an			1790630	variant
        newcastle-upon-tyne			2641673	variant
        clermont ferrand			3024635	variant
        saint-etienne			2980291	variant
        tel aviv			293397	variant
        port au prince			3718426	variant
        king's lynn			2645456	variant
        rio			3451190	short
        dc			4140963	short
        ul		mn	2028462|2014407|1833747|479123|2820256|1253894	short
        ho			2300379|1566083|4699066|1819729	short
        pau		fr	2988358	short
        ube		ja	1849498|3445831|3445839	short
        birmingham			2655603	population
        delhi			1273294	population
        melbourne			2158177	population
        san antonio			4726206	population
        santiago			3871336	population
        toledo		en	5174035|2510409	population
        😀			ANY	nasty
        🗼🗼🗼			ANY	nasty
        *			ANY	nasty
        NEAR(			ANY	nasty
        paris AND			ANY	nasty
        name:paris OR			ANY	nasty
        \s\s\s			BLANK	nasty
        par\0is			ANY	nasty
        ^london			2643743	nasty
        zzzzqqqqxxxx			EMPTY	nasty
        <script>alert(1)</script>			ANY	nasty
        münchen			2867714	nasty
        Ｔｏｋｙｏ			1850147	nasty
        """#

    /// Positions of places that may be under another id: what lies within 15 km is right too.
    static let positions = #"""
        3576022	17.12096	-61.84329
        3435910	-34.61315	-58.37723
        2761369	48.20849	16.37208
        2155472	-32.92953	151.7801
        2158177	-37.814	144.96332
        2163355	-42.87936	147.32941
        3445831	-18.91861	-48.27722
        3445839	-19.74833	-47.93194
        3451190	-22.90642	-43.18223
        3469058	-15.77972	-47.92972
        6058560	42.98339	-81.23304
        6324733	47.56494	-52.70931
        2657896	47.36667	8.55
        2658822	47.42391	9.37477
        2660646	46.20222	6.14569
        3871336	-33.45694	-70.64827
        1790630	34.25833	108.92861
        1796236	31.22222	121.45806
        1816670	39.9075	116.39723
        3621849	9.93388	-84.08489
        3067696	50.08804	14.42076
        2820256	48.39841	9.99155
        2867714	48.13743	11.57549
        2886242	50.93333	6.95
        2934246	51.22319	6.77927
        360630	30.06263	31.24967
        2509954	39.47391	-0.37966
        2510409	39.8581	-4.02263
        3128760	41.38879	2.15899
        2980291	45.43389	4.39
        2988358	43.31117	-0.35583
        2988507	48.85341	2.3488
        3024635	45.77969	3.08682
        2638867	51.75	-0.33333
        2641673	54.97328	-1.61396
        2643743	51.50853	-0.12574
        2645456	52.75172	0.39516
        2650225	55.95206	-3.19648
        2655603	52.48142	-1.89983
        611717	41.69143	44.83412
        2300379	6.60084	0.4713
        264371	37.98376	23.72784
        1819729	22.27832	114.17469
        3718426	18.54349	-72.33881
        3054643	47.49835	19.04045
        281184	31.76904	35.21633
        293397	32.08088	34.78057
        1253894	19.21667	73.15
        1273294	28.65195	77.23149
        3413829	64.13548	-21.89541
        1849498	33.94306	131.25111
        1850147	35.6895	139.69171
        1862415	34.4	132.45
        1833747	35.53722	129.31667
        1838524	35.10168	129.03004
        618426	47.00902	28.85938
        1070940	-18.91368	47.53613
        1298824	16.80528	96.15611
        2028462	47.90771	106.88324
        3530597	19.42847	-99.12766
        1735161	3.1412	101.68653
        2747373	52.07667	4.29861
        2759794	52.37403	4.88969
        2179537	-41.28664	174.77557
        1176734	25.39689	68.37718
        756135	52.22977	21.01178
        3081368	51.10286	17.03006
        3099434	54.35227	18.64912
        2267057	38.72509	-9.1498
        675810	47.16667	27.6
        479123	54.32824	48.38657
        498817	59.93863	30.31413
        524901	55.75204	37.61781
        2014407	51.82648	107.59979
        2673730	59.32938	18.06871
        2686657	59.27412	15.2066
        745044	41.01384	28.94966
        703448	50.45466	30.5238
        4049979	33.52066	-86.80249
        4140963	38.89511	-77.03637
        4171563	27.77086	-82.67927
        4250542	39.80172	-89.64371
        4407066	38.62727	-90.19789
        4407237	38.80033	-90.62651
        4525353	39.92423	-83.80882
        4560349	39.95238	-75.16362
        4588165	32.79407	-79.86259
        4699066	29.76328	-95.36327
        4717560	33.66094	-95.55551
        4726206	29.42412	-98.49363
        4781708	37.55376	-77.46026
        4930956	42.35843	-71.05977
        4951788	42.10148	-72.58981
        4975802	43.65737	-70.2589
        5037649	44.97997	-93.26384
        5045360	44.94441	-93.09327
        5128581	40.71427	-74.00597
        5174035	41.66394	-83.55521
        5308655	33.44838	-112.07404
        5368361	34.05223	-118.24368
        5391959	37.77493	-122.41942
        5392171	37.33939	-121.89496
        5454711	35.08449	-106.65114
        5746545	45.52345	-122.67621
        5814616	45.63873	-122.66149
        3625549	10.16153	-68.00044
        1566083	10.82302	106.62965
        1583992	16.06778	108.22083
        993800	-26.20227	28.04363
        """#
}
